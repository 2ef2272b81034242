int restrict_is_a_name_in_cpp(int *restrict p) { return *p; }
