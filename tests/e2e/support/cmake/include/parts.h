#pragma once
#define FACTOR 2
#ifdef __cplusplus
extern "C"
#endif
int answer(void);
#ifdef __cplusplus
void scale(float* data, int n);
void offset(float* data, int n);
void square(float* data, int n);
#endif
