// What a verifier reads and writes for its decisions, as a loop in plain C: the same statements on
// the same tables, committed in groups of the same size. No rule, no code, no hash is computed.
#include "reference.h"

#include <sqlite3.h>
#include <stdlib.h>

// A verifier's reader takes up to so many decisions at a time.
enum { STATEMENT_COUNT = 17, MOST_EVIDENCE = 512, READ_GROUP = 8 };

enum statement {
    READ, END_READING, BEGIN, VERSION, COMMIT, ATTEMPT, DEVICE, CREDENTIAL, STATE, POLICY,
    TRANSACTION, CLOSE, COUNT, RECORD, DELIVER, HEAD, KEEP,
};

// `?1`, and not `$1`, which SQLite takes for a name and numbers in the order of appearance.
static const char *const texts[] = {
    [READ] = "BEGIN",
    [END_READING] = "ROLLBACK",
    [BEGIN] = "BEGIN IMMEDIATE",
    [VERSION] = "PRAGMA user_version",
    [COMMIT] = "COMMIT",
    [ATTEMPT] = "SELECT made, fingerprint, verdict FROM attempts WHERE device = ?1 AND id = ?2",
    [DEVICE] = "SELECT enterprise, account_type, account_id, public_key, token, name, standing, "
               "activated "
               "FROM devices WHERE id = ?1",
    [CREDENTIAL] = "SELECT id, generation, counter, standing, confirmed_in, seed, copy_noticed, counted_with, "
                   "failures_in_a_row, locks_in_a_row, locked_until, blocked, failures "
                   "FROM credentials WHERE device = ?1 AND kind = 1",
    [STATE] = "SELECT store, epoch, audit_sequence, audit_moment, audit_hash, least_key_version, "
              "is_copy FROM verifier WHERE id = 1",
    [POLICY] = "SELECT policy_version FROM enterprises WHERE id = 'bank'",
    [TRANSACTION] = "SELECT enterprise, account_type, account_id, canonical_bytes, "
                    "accepted_authentication, created, deadline, number, state, closed, device, "
                    "detail, evidence FROM transactions WHERE id = ?1",
    [CLOSE] = "UPDATE transactions SET state = 1, closed = ?2, device = ?3, detail = 'userPIN', "
              "evidence = ?4, number = NULL WHERE id = ?1 AND state = 0",
    [COUNT] = "UPDATE credentials SET generation = 0, counter = ?2, standing = 1, "
              "confirmed_in = 0, seed = ?3, copy_noticed = 0 WHERE device = ?1 AND kind = 1 AND counter <= ?2",
    [RECORD] = "INSERT INTO audit (sequence, moment, actor, kind, enterprise, account_type, "
               "account_id, subject, detail, traces, hash) "
               "VALUES (?1, ?2, ?3, 'transaction.approved', 'bank', 'main', ?4, ?5, 'userPIN', "
               "zeroblob(308), ?6)",
    [DELIVER] = "INSERT INTO outbox (sequence, target, enterprise, account_type, account_id, "
                "subject, due, tries, state) VALUES (?1, 1, 'bank', 'main', ?2, ?3, ?4, 0, 0)",
    [HEAD] = "UPDATE verifier SET audit_sequence = ?1, audit_moment = ?2, audit_hash = ?3 "
             "WHERE id = 1 AND audit_sequence < ?1",
    [KEEP] = "INSERT INTO attempts (device, id, made, fingerprint, verdict) "
             "VALUES (?1, ?2, ?3, ?4, 'accepted')",
};

struct reference_store {
    sqlite3 *database;
    sqlite3_stmt *statements[STATEMENT_COUNT];
    sqlite3_int64 sequence;
};

struct reference_store *reference_open_store(const char *path) {
    struct reference_store *store = calloc(1, sizeof *store);
    if (!store || sqlite3_open_v2(path, &store->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
                                  NULL)) return NULL;
    if (sqlite3_exec(store->database,
                     "PRAGMA synchronous = FULL; PRAGMA cell_size_check = ON; "
                     "PRAGMA secure_delete = ON; "
                     "PRAGMA foreign_keys = ON; PRAGMA cache_size = -32768",
                     NULL, NULL, NULL)) return NULL;
    for (int s = READ; s <= KEEP; s++)
        if (sqlite3_prepare_v3(store->database, texts[s], -1, SQLITE_PREPARE_PERSISTENT,
                               &store->statements[s], NULL)) return NULL;
    return store;
}

void reference_close_store(struct reference_store *store) {
    for (int s = READ; s <= KEEP; s++) sqlite3_finalize(store->statements[s]);
    sqlite3_close(store->database);
    free(store);
}

static void bind_bytes(sqlite3_stmt *statement, int place, const void *bytes, int count) {
    sqlite3_bind_blob(statement, place, bytes, count, SQLITE_STATIC);
}

static void bind_text(sqlite3_stmt *statement, int place, const char *text) {
    sqlite3_bind_text(statement, place, text, -1, SQLITE_STATIC);
}

// As what it is: a number read as bytes would be made into text first.
static void take_column(sqlite3_stmt *statement, int column) {
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER: sqlite3_column_int64(statement, column); break;
    case SQLITE_TEXT: sqlite3_column_text(statement, column); break;
    case SQLITE_BLOB: sqlite3_column_blob(statement, column); break;
    }
}

// Steps to the end and takes each column of each row, as a reader has to.
static bool finish(sqlite3_stmt *statement) {
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW)
        for (int column = 0; column < sqlite3_column_count(statement); column++)
            take_column(statement, column);
    sqlite3_reset(statement);
    return code == SQLITE_DONE;
}

// Steps a statement that changes one row.
static bool change(sqlite3_stmt *statement) {
    return finish(statement) && sqlite3_changes(sqlite3_db_handle(statement)) == 1;
}

static bool read_device(struct reference_store *store, const struct reference_decision *decision) {
    sqlite3_stmt *device = store->statements[DEVICE];
    sqlite3_stmt *credential = store->statements[CREDENTIAL];
    bind_bytes(device, 1, decision->device, 16);
    bind_bytes(credential, 1, decision->device, 16);
    return finish(device) && finish(credential);
}

static bool read_transaction(struct reference_store *store,
                             const struct reference_decision *decision) {
    sqlite3_stmt *transaction = store->statements[TRANSACTION];
    bind_text(transaction, 1, decision->transaction);
    return finish(transaction);
}

static bool read_state(struct reference_store *store) {
    sqlite3_stmt *state = store->statements[STATE];
    bool found = sqlite3_step(state) == SQLITE_ROW;
    store->sequence = sqlite3_column_int64(state, 2);
    sqlite3_reset(state);
    return found;
}

static bool write_decision(struct reference_store *store, const struct reference_decision *decision,
                           sqlite3_int64 counter, sqlite3_int64 moment) {
    static const char hash[32], seed[65], evidence[MOST_EVIDENCE];
    sqlite3_stmt **statements = store->statements;

    sqlite3_stmt *close = statements[CLOSE];
    bind_text(close, 1, decision->transaction);
    sqlite3_bind_int64(close, 2, moment);
    bind_bytes(close, 3, decision->device, 16);
    bind_bytes(close, 4, evidence, decision->evidence_size);

    sqlite3_stmt *count = statements[COUNT];
    bind_bytes(count, 1, decision->device, 16);
    sqlite3_bind_int64(count, 2, counter);
    bind_bytes(count, 3, seed, sizeof seed);

    store->sequence++;
    sqlite3_stmt *record = statements[RECORD];
    sqlite3_bind_int64(record, 1, store->sequence);
    sqlite3_bind_int64(record, 2, moment);
    bind_text(record, 3, "device:00000000000000000000000000000000");
    bind_text(record, 4, decision->account);
    bind_text(record, 5, decision->transaction);
    bind_bytes(record, 6, hash, sizeof hash);

    sqlite3_stmt *deliver = statements[DELIVER];
    sqlite3_bind_int64(deliver, 1, store->sequence);
    bind_text(deliver, 2, decision->account);
    bind_text(deliver, 3, decision->transaction);
    sqlite3_bind_int64(deliver, 4, moment);

    sqlite3_stmt *head = statements[HEAD];
    sqlite3_bind_int64(head, 1, store->sequence);
    sqlite3_bind_int64(head, 2, moment);
    bind_bytes(head, 3, hash, sizeof hash);

    sqlite3_stmt *keep = statements[KEEP];
    bind_bytes(keep, 1, decision->device, 16);
    bind_bytes(keep, 2, decision->attempt, 16);
    sqlite3_bind_int64(keep, 3, moment);
    bind_bytes(keep, 4, hash, sizeof hash);

    return change(close) && change(count) && change(record) && change(deliver) && change(head)
        && change(keep);
}

static bool decide(struct reference_store *store, const struct reference_decision *decision,
                   sqlite3_int64 counter, sqlite3_int64 moment) {
    sqlite3_stmt *attempt = store->statements[ATTEMPT];
    bind_bytes(attempt, 1, decision->device, 16);
    bind_bytes(attempt, 2, decision->attempt, 16);
    return finish(attempt) && read_device(store, decision) && read_state(store)
        && finish(store->statements[POLICY]) && read_transaction(store, decision)
        && write_decision(store, decision, counter, moment);
}

// What is read before a group begins, to open the secrets of those in it.
static bool read_ahead(struct reference_store *store, const struct reference_decision *decisions,
                       size_t count) {
    sqlite3_stmt **statements = store->statements;
    for (size_t first = 0; first < count; first += READ_GROUP) {
        size_t end = first + READ_GROUP < count ? first + READ_GROUP : count;
        if (!finish(statements[READ]) || !finish(statements[VERSION])) return false;
        for (size_t d = first; d < end; d++)
            if (!read_device(store, &decisions[d]) || !read_transaction(store, &decisions[d]))
                return false;
        if (!finish(statements[END_READING])) return false;
    }
    return true;
}

int reference_decisions(struct reference_store *store, const struct reference_decision *decisions,
                        size_t count, size_t group, int64_t counter, int64_t moment) {
    for (size_t first = 0; first < count; first += group) {
        size_t end = first + group < count ? first + group : count;
        if (!read_ahead(store, decisions + first, end - first)) return -1;
        if (!finish(store->statements[BEGIN]) || !finish(store->statements[VERSION])) return -1;
        for (size_t d = first; d < end; d++)
            if (!decide(store, &decisions[d], counter, moment)) return -1;
        if (!finish(store->statements[COMMIT])) return -1;
    }
    return (int)count;
}
