/* A shared library that is no policy module. */
int specroute_nothing(void);
int specroute_nothing(void) {
  return 0;
}
