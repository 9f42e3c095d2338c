// libargon2: the one header, nothing added.
#ifndef COUNTERSIGN_CARGON2_H
#define COUNTERSIGN_CARGON2_H

#include <argon2.h>

#endif
