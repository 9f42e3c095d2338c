// expat, and how large an allocation is: memory must be wiped whole before it is freed.
#ifndef COUNTERSIGN_CXML_H
#define COUNTERSIGN_CXML_H

#include <expat.h>
#include <malloc.h>

#endif
