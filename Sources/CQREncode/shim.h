// libqrencode as it is: nothing of it is a macro that Swift cannot call.
#ifndef COUNTERSIGN_CQRENCODE_H
#define COUNTERSIGN_CQRENCODE_H

#include <qrencode.h>

#endif
