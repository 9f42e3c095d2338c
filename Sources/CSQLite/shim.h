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

// The methods of the file of a connection, with a sync after each `interval` written bytes.
typedef struct {
    sqlite3_io_methods methods;
    const sqlite3_io_methods *original;
    int interval;
    int unsynced;
} countersign_sqlite_paced_methods;

static int countersign_sqlite_paced_write(
    sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset
) {
    // `methods` is the first member.
    countersign_sqlite_paced_methods *paced = (countersign_sqlite_paced_methods *)file->pMethods;
    int code = paced->original->xWrite(file, bytes, count, offset);
    if (code != SQLITE_OK) return code;
    paced->unsynced += count;
    if (paced->unsynced < paced->interval) return SQLITE_OK;
    paced->unsynced = 0;
    return paced->original->xSync(file, SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY);
}

// `paced` must be valid until the connection is closed.
static inline int countersign_sqlite_pace(
    sqlite3 *database, countersign_sqlite_paced_methods *paced, int interval
) {
    sqlite3_file *file = 0;
    int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (code != SQLITE_OK) return code;
    if (!file || !file->pMethods) return SQLITE_MISUSE;
    paced->original = file->pMethods;
    paced->methods = *file->pMethods;
    // A newer library can have more methods than these headers.
    if (paced->methods.iVersion > 3) paced->methods.iVersion = 3;
    paced->methods.xWrite = countersign_sqlite_paced_write;
    paced->interval = interval;
    paced->unsynced = 0;
    file->pMethods = &paced->methods;
    return SQLITE_OK;
}

static inline int countersign_sqlite_configure(sqlite3 *database, int option, int value) {
    return sqlite3_db_config(database, option, value, (int *)0);
}

#endif
