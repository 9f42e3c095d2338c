// The statements of a verifier's decisions as a loop in plain C: the same statements with the same
// values, committed in groups of the same size. It runs no rule and computes no code and no hash.
#include "reference.h"

#include <sqlite3.h>
#include <stdlib.h>

// The maximum number of jobs that a verifier's reader takes at a time.
enum { READ_GROUP = 8 };

struct reference_store {
    sqlite3 *database;
    size_t count;
    sqlite3_stmt **statements;
    // The store's own statements around each group of jobs.
    sqlite3_stmt *begin_reading, *end_reading, *begin, *version, *commit;
};

static bool prepare(struct reference_store *store, const char *text, sqlite3_stmt **statement) {
    return sqlite3_prepare_v3(store->database, text, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL)
        == SQLITE_OK;
}

static bool prepare_all(struct reference_store *store, const char *const *texts) {
    for (size_t s = 0; s < store->count; s++)
        if (!prepare(store, texts[s], &store->statements[s])) return false;
    return prepare(store, "BEGIN", &store->begin_reading)
        && prepare(store, "ROLLBACK", &store->end_reading)
        && prepare(store, "BEGIN IMMEDIATE", &store->begin)
        && prepare(store, "PRAGMA user_version", &store->version)
        && prepare(store, "COMMIT", &store->commit);
}

struct reference_store *reference_open_store(const char *path, const char *const *texts,
                                             size_t count) {
    struct reference_store *store = calloc(1, sizeof *store);
    if (!store) return NULL;
    store->count = count;
    store->statements = calloc(count, sizeof *store->statements);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
    const char *settings = "PRAGMA synchronous = FULL; PRAGMA cell_size_check = ON; "
                           "PRAGMA secure_delete = ON; PRAGMA foreign_keys = ON; "
                           "PRAGMA cache_size = -32768";
    if (store->statements && sqlite3_open_v2(path, &store->database, flags, NULL) == SQLITE_OK
        && sqlite3_exec(store->database, settings, NULL, NULL, NULL) == SQLITE_OK
        && prepare_all(store, texts)) return store;
    reference_close_store(store);
    return NULL;
}

void reference_close_store(struct reference_store *store) {
    for (size_t s = 0; store->statements && s < store->count; s++)
        sqlite3_finalize(store->statements[s]);
    sqlite3_finalize(store->begin_reading);
    sqlite3_finalize(store->end_reading);
    sqlite3_finalize(store->begin);
    sqlite3_finalize(store->version);
    sqlite3_finalize(store->commit);
    sqlite3_close(store->database);
    free(store->statements);
    free(store);
}

const char *reference_store_error(const struct reference_store *store) {
    return sqlite3_errmsg(store->database);
}

static void bind(sqlite3_stmt *statement, int place, const struct reference_value *value) {
    switch (value->kind) {
    case REFERENCE_NULL: sqlite3_bind_null(statement, place); break;
    case REFERENCE_INTEGER: sqlite3_bind_int64(statement, place, value->integer); break;
    case REFERENCE_TEXT:
        sqlite3_bind_text(statement, place, value->bytes, (int)value->count, SQLITE_STATIC);
        break;
    case REFERENCE_BYTES:
        sqlite3_bind_blob(statement, place, value->bytes, (int)value->count, SQLITE_STATIC);
        break;
    }
}

// Uses the column's own type: SQLite would convert a number to text before it returns bytes.
static void take_column(sqlite3_stmt *statement, int column) {
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER: sqlite3_column_int64(statement, column); break;
    case SQLITE_TEXT: sqlite3_column_text(statement, column); break;
    case SQLITE_BLOB: sqlite3_column_blob(statement, column); break;
    }
}

// Steps to the end and reads each column of each row, like a verifier.
static bool finish(sqlite3_stmt *statement) {
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW)
        for (int column = 0; column < sqlite3_column_count(statement); column++)
            take_column(statement, column);
    sqlite3_reset(statement);
    return code == SQLITE_DONE;
}

static bool run(struct reference_store *store, const struct reference_job *job) {
    for (size_t s = 0; s < job->count; s++) {
        const struct reference_step *step = &job->steps[s];
        sqlite3_stmt *statement = store->statements[step->statement];
        for (size_t v = 0; v < step->count; v++) bind(statement, (int)v + 1, &step->values[v]);
        if (!finish(statement)) return false;
    }
    return true;
}

static bool read_group(struct reference_store *store, const struct reference_job *jobs,
                       size_t count) {
    if (!finish(store->begin_reading) || !finish(store->version)) return false;
    for (size_t j = 0; j < count; j++)
        if (!run(store, &jobs[j])) return false;
    return finish(store->end_reading);
}

static bool write_group(struct reference_store *store, const struct reference_job *jobs,
                        size_t count) {
    if (!finish(store->begin) || !finish(store->version)) return false;
    for (size_t j = 0; j < count; j++)
        if (!run(store, &jobs[j])) return false;
    return finish(store->commit);
}

static size_t smaller(size_t left, size_t right) { return left < right ? left : right; }

bool reference_replay(struct reference_store *store, const struct reference_job *reading,
                      size_t reading_count, const struct reference_job *writing,
                      size_t writing_count, size_t group) {
    // Each group of writing jobs follows the reading jobs that prepared it.
    size_t read = 0;
    for (size_t written = 0; written < writing_count; written += group) {
        size_t end = smaller(written + group, writing_count);
        size_t read_end = reading_count * end / writing_count;
        for (; read < read_end; read = smaller(read + READ_GROUP, read_end))
            if (!read_group(store, reading + read, smaller(READ_GROUP, read_end - read)))
                return false;
        if (!write_group(store, writing + written, end - written)) return false;
    }
    return true;
}
