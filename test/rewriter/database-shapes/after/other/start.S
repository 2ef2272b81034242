.globl start
start:
