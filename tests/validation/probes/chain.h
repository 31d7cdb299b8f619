#pragma once
// Chains that the compiler can not shorten: k fused multiply-adds (or integer ones) on x.
#define F1 x = fmaf(x, y, z);
#define F2 F1 F1
#define F3 F2 F1
#define F4 F2 F2
#define F5 F4 F1
#define F6 F4 F2
#define F7 F4 F3
#define F8 F4 F4
#define F9 F8 F1
#define F10 F8 F2
#define F12 F8 F4
#define F14 F8 F6
#define F16 F8 F8
#define F20 F16 F4
#define F24 F16 F8
#define F32 F16 F16
#define LOAD_XYZ float x = in[GID], y = in[GID + 1024], z = in[GID + 2048]
