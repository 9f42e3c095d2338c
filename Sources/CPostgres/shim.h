// libpq, the client library of PostgreSQL.
#ifndef COUNTERSIGN_CPOSTGRES_H
#define COUNTERSIGN_CPOSTGRES_H

#include <libpq-fe.h>

#endif
