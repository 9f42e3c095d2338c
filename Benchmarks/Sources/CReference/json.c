#include "json.h"

#include <string.h>

static bool read_value(struct json *json, int depth);

static bool skip(struct json *json, unsigned char character) {
    if (json->offset == json->length || json->text[json->offset] != character) return false;
    json->offset++;
    return true;
}

static bool read_string(struct json *json) {
    if (json->count == JSON_LONGEST_DOCUMENT || !skip(json, '"')) return false;
    struct json_value *value = &json->values[json->count++];
    value->kind = JSON_STRING;
    value->start = json->offset;
    while (json->offset < json->length && json->text[json->offset] != '"') {
        unsigned char byte = json->text[json->offset++];
        if (byte < 0x20 || byte > 0x7e || byte == '\\') return false;
    }
    value->end = json->offset;
    value->next = json->count;
    return skip(json, '"');
}

static bool equal(const struct json *json, int left, int right) {
    const struct json_value *one = &json->values[left], *other = &json->values[right];
    size_t length = one->end - one->start;
    return length == other->end - other->start
        && memcmp(json->text + one->start, json->text + other->start, length) == 0;
}

// The names of an object are different.
static bool has_new_name(const struct json *json, int object, int name) {
    for (int other = object + 1; other < name; other = json->values[other + 1].next)
        if (equal(json, other, name)) return false;
    return true;
}

static bool read_object(struct json *json, int object, int depth) {
    if (skip(json, '}')) return true;
    do {
        int name = json->count;
        if (!read_string(json) || !has_new_name(json, object, name) || !skip(json, ':')
            || !read_value(json, depth))
            return false;
    } while (skip(json, ','));
    return skip(json, '}');
}

static bool read_array(struct json *json, int depth) {
    if (skip(json, ']')) return true;
    do {
        if (!read_value(json, depth)) return false;
    } while (skip(json, ','));
    return skip(json, ']');
}

static bool read_value(struct json *json, int depth) {
    if (depth == 0 || json->count == JSON_LONGEST_DOCUMENT || json->offset == json->length)
        return false;
    if (json->text[json->offset] == '"') return read_string(json);
    int index = json->count++;
    bool is_object = json->text[json->offset] == '{';
    json->values[index].kind = is_object ? JSON_OBJECT : JSON_ARRAY;
    if (!skip(json, is_object ? '{' : '[')) return false;
    if (is_object ? !read_object(json, index, depth - 1) : !read_array(json, depth - 1))
        return false;
    json->values[index].next = json->count;
    return true;
}

bool json_read(struct json *json, const unsigned char *text, size_t length) {
    json->text = text;
    json->length = length;
    json->offset = 0;
    json->count = 0;
    return read_value(json, 4) && json->offset == length;
}

bool json_equals(const struct json *json, int value, const char *text) {
    if (value < 0 || json->values[value].kind != JSON_STRING) return false;
    size_t start = json->values[value].start, length = json->values[value].end - start;
    return strlen(text) == length && memcmp(json->text + start, text, length) == 0;
}

int json_member(const struct json *json, int object, const char *name) {
    if (object < 0 || json->values[object].kind != JSON_OBJECT) return -1;
    int end = json->values[object].next;
    for (int member = object + 1; member < end; member = json->values[member + 1].next)
        if (json_equals(json, member, name)) return member + 1;
    return -1;
}
