#include "textflag.h"

// func clientRequest(arguments *[6]uint64)
TEXT ·clientRequest(SB), NOSPLIT, $0-8
	MOVQ arguments+0(FP), AX
	XORL DX, DX
	ROLQ $3, DI
	ROLQ $13, DI
	ROLQ $61, DI
	ROLQ $51, DI
	XCHGQ BX, BX
	RET
