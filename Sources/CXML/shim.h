// expat, and the size of an allocation, so that memory is wiped before it is freed.
#ifndef COUNTERSIGN_CXML_H
#define COUNTERSIGN_CXML_H

#include <expat.h>
#include <malloc.h>

#endif
