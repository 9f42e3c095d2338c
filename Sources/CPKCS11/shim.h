// The types of PKCS#11. The library itself is loaded by the path in the configuration.
#ifndef COUNTERSIGN_CPKCS11_H
#define COUNTERSIGN_CPKCS11_H

// An absolute path: the flags of pkg-config would also link the programs with libp11-kit.
#include "/usr/include/p11-kit-1/p11-kit/pkcs11.h"

#endif
