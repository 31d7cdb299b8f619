/* A C file among the sources: C++ would not accept it. */
int add_in_c(int new) {
    int *pointer = (void *)0;
    (void)pointer;
    return new + 1;
}
