// SQLite 3: functions for variadic functions and macros that Swift cannot import.
#ifndef COUNTERSIGN_CSQLITE_H
#define COUNTERSIGN_CSQLITE_H

#include <sqlite3.h>

// Macros with computed values: Swift imports only plain numbers.
static const int COUNTERSIGN_SQLITE_UNIQUE = SQLITE_CONSTRAINT_UNIQUE;
static const int COUNTERSIGN_SQLITE_PRIMARY_KEY = SQLITE_CONSTRAINT_PRIMARYKEY;
static const int COUNTERSIGN_SQLITE_ROWID = SQLITE_CONSTRAINT_ROWID;
static const int COUNTERSIGN_SQLITE_FOREIGN_KEY = SQLITE_CONSTRAINT_FOREIGNKEY;
static const int COUNTERSIGN_SQLITE_SHORT_READ = SQLITE_IOERR_SHORT_READ;

// Without statistics, each allocation takes one lock less. Pages are allocated one by one: by default,
// each connection takes 20 at once, twice. Its memory for small objects is 16 KB instead of 48 KB,
// because it needs them only while it prepares a statement.
static inline int countersign_sqlite_start(void) {
    int code = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    if (code == SQLITE_OK) code = sqlite3_config(SQLITE_CONFIG_PAGECACHE, (void *)0, 0, 0);
    if (code == SQLITE_OK) code = sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 512, 32);
    // SQLITE_MISUSE: another library of this process has started SQLite already.
    if (code != SQLITE_OK && code != SQLITE_MISUSE) return code;
    return sqlite3_initialize();
}

static inline int countersign_sqlite_configure(sqlite3 *database, int option, int value) {
    return sqlite3_db_config(database, option, value, (int *)0);
}

#endif
