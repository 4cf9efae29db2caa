/* Loops over pycocotools' own C functions, so that they can be timed without Python. The functions are taken from the
 * installed extension module (see anchors.py); the types below are their binary interface. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
  unsigned long h, w, m;
  unsigned int *counts;
} Rle;

typedef struct {
  void (*frPoly)(Rle *, const double *, unsigned long, unsigned long, unsigned long);
  void (*merge)(const Rle *, Rle *, unsigned long, int);
  void (*encode)(Rle *, const uint8_t *, unsigned long, unsigned long, unsigned long);
  int (*decode)(const Rle *, uint8_t *, unsigned long);
  void (*area)(const Rle *, unsigned long, unsigned int *);
  void (*box)(const Rle *, double *, unsigned long);
  void (*iou)(Rle *, Rle *, unsigned long, unsigned long, uint8_t *, double *);
  char *(*toString)(const Rle *);
  void (*frString)(Rle *, char *, unsigned long, unsigned long);
  void (*release)(Rle *);
} Api;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

/* Objects are rings [first[i], first[i + 1]); ring j has points[j] points that start at offset[j]. */
double polygons(Api *api, int objects, const int *first, const int *points, const int *offset, const double *xy,
                unsigned long h, unsigned long w, int merged) {
  double start = now();
  for (int i = 0; i < objects; i++) {
    int parts = first[i + 1] - first[i];
    Rle *rles = malloc(sizeof(Rle) * parts), whole;
    for (int k = 0; k < parts; k++) {
      int j = first[i] + k;
      api->frPoly(rles + k, xy + offset[j], points[j], h, w);
      if (!merged) free(api->toString(rles + k));
    }
    if (merged) {
      api->merge(rles, &whole, parts, 0);
      free(api->toString(&whole));
      api->release(&whole);
    }
    for (int k = 0; k < parts; k++) api->release(rles + k);
    free(rles);
  }
  return now() - start;
}

double encode(Api *api, int n, uint8_t **bitmaps, unsigned long h, unsigned long w) {
  double start = now();
  for (int i = 0; i < n; i++) {
    Rle r;
    api->encode(&r, bitmaps[i], h, w, 1);
    api->release(&r);
  }
  return now() - start;
}

double encodeRows(Api *api, int n, uint8_t **bitmaps, unsigned long h, unsigned long w) {
  double start = now();
  uint8_t *turned = malloc(h * w);
  for (int i = 0; i < n; i++) {
    Rle r;
    for (unsigned long y = 0; y < h; y++)
      for (unsigned long x = 0; x < w; x++) turned[x * h + y] = bitmaps[i][y * w + x];
    api->encode(&r, turned, h, w, 1);
    api->release(&r);
  }
  free(turned);
  return now() - start;
}

double decode(Api *api, int n, Rle *rles, unsigned long h, unsigned long w) {
  uint8_t *target = malloc(h * w);
  memset(target, 0, h * w);
  double start = now();
  for (int i = 0; i < n; i++) api->decode(rles + i, target, 1);
  double took = now() - start;
  free(target);
  return took;
}

double areas(Api *api, int n, Rle *rles, unsigned int *out) {
  double start = now();
  api->area(rles, n, out);
  return now() - start;
}

double boxes(Api *api, int n, Rle *rles, double *out) {
  double start = now();
  api->box(rles, out, n);
  return now() - start;
}

double merges(Api *api, int n, Rle *a, Rle *b, int intersect) {
  double start = now();
  for (int i = 0; i < n; i++) {
    Rle pair[2] = {a[i], b[i]}, out;
    api->merge(pair, &out, 2, intersect);
    api->release(&out);
  }
  return now() - start;
}

double ious(Api *api, int n, Rle *a, Rle *b) {
  double start = now(), out;
  for (int i = 0; i < n; i++) api->iou(a + i, b + i, 1, 1, 0, &out);
  return now() - start;
}

double matrix(Api *api, int m, int n, Rle *a, Rle *b) {
  double *out = malloc(sizeof(double) * m * n);
  double start = now();
  api->iou(a, b, m, n, 0, out);
  double took = now() - start;
  free(out);
  return took;
}

double toStrings(Api *api, int n, Rle *rles) {
  double start = now();
  for (int i = 0; i < n; i++) free(api->toString(rles + i));
  return now() - start;
}

double frStrings(Api *api, int n, char **strings, unsigned long h, unsigned long w) {
  double start = now();
  for (int i = 0; i < n; i++) {
    Rle r;
    api->frString(&r, strings[i], h, w);
    api->release(&r);
  }
  return now() - start;
}

void parse(Api *api, int n, char **strings, unsigned long h, unsigned long w, Rle *out) {
  for (int i = 0; i < n; i++) api->frString(out + i, strings[i], h, w);
}
