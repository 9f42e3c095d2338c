// A small reader of JSON: strict objects, arrays and strings, without escapes, into a fixed list.
#ifndef BENCHMARKS_JSON_H
#define BENCHMARKS_JSON_H

#include <stdbool.h>
#include <stddef.h>

enum json_kind { JSON_OBJECT, JSON_ARRAY, JSON_STRING };

// A string's bytes are from `start` to `end`. `next` is the index after all values in this one.
struct json_value {
    enum json_kind kind;
    size_t start, end;
    int next;
};

enum { JSON_LONGEST_DOCUMENT = 48 };

struct json {
    const unsigned char *text;
    size_t length, offset;
    int count;
    struct json_value values[JSON_LONGEST_DOCUMENT];
};

// Reads a whole document, whose value is the first one; false if it is malformed.
bool json_read(struct json *json, const unsigned char *text, size_t length);
// The value of the member of an object; negative if it is missing or the value is not an object.
int json_member(const struct json *json, int object, const char *name);
bool json_equals(const struct json *json, int value, const char *text);

#endif
