// SPDX-License-Identifier: Apache-2.0
// Libraries with a cblas_dgemm of their own: a right one, a slow one, and those that the trial must refuse.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// C <- alpha A B + beta C, column-major, the sum over the first `depth` products.
static void multiply(int m, int n, int depth, double alpha, const double* a, int lda, const double* b,
                     int ldb, double beta, double* c, int ldc) {
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
#ifndef FAKE_KEEPS_WHAT_WAS_THERE
      if (beta == 0) {
        c[i + (size_t)j * ldc] = 0;
        continue;
      }
#endif
      c[i + (size_t)j * ldc] *= beta;
    }
    for (int k = 0; k < depth; ++k)
      for (int i = 0; i < m; ++i)
        c[i + (size_t)j * ldc] += alpha * a[i + (size_t)k * lda] * b[k + (size_t)j * ldb];
  }
}

#ifdef FAKE_CRASHES_WHEN_LOADED
__attribute__((constructor)) static void loaded(void) {
  raise(SIGILL);
}
#endif

void cblas_dgemm(int order, int of_a, int of_b, int m, int n, int k, double alpha, const double* a, int lda,
                 const double* b, int ldb, double beta, double* c, int ldc) {
  (void)order, (void)of_a, (void)of_b;
#if defined(FAKE_CRASHES)
  raise(SIGILL);
#elif defined(FAKE_HANGS)
  for (;;) pause();
#elif defined(FAKE_ENDS)
  _exit(0);
#elif defined(FAKE_TALKS_NONSENSE)
  const char* text = "\nsteelyard-blas-child {\"flop_s\": \"many\"}\n";
  for (int descriptor = 1; descriptor < 32; ++descriptor)
    if (write(descriptor, text, strlen(text)) < 0) continue;
  _exit(0);
#elif defined(FAKE_FORGETS)
  // Of matrices that fill the first cache the last product; of small ones nothing.
  multiply(m, n, k > 100 ? k - 1 : k, alpha, a, lda, b, ldb, beta, c, ldc);
#elif defined(FAKE_TRANSPOSES)
  multiply(m, n, k, alpha, b, ldb, a, lda, beta, c, ldc);
#elif defined(FAKE_SLOW)
  puts("this library likes to talk");
  for (int again = 0; again < 8; ++again) multiply(m, n, k, 0, a, lda, b, ldb, 1, c, ldc);
  multiply(m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
#else
  multiply(m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
#endif
}
