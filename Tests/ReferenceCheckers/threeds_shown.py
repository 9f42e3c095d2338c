"""Prints members of a result of threeds_peer.py, for a person.

usage: threeds_shown.py [NAME]...   reads the result in JSON; a name is of a member at any depth

Exits with 1 if a member is missing, if the peer could not run the command, or if it found a breach of
the ACS. Then it prints the reason.
"""
import json
import sys


def values(content, name: str) -> list:
    """The values of all members with this name, the outer ones first."""
    found = [content[name]] if isinstance(content, dict) and name in content else []
    inner = content.values() if isinstance(content, dict) else content
    for value in inner if isinstance(content, (dict, list)) else []:
        found += values(value, name)
    return found


def lines(value) -> list[str]:
    if isinstance(value, list):
        return [line for one in value for line in lines(one)]
    return value.split("\n") if isinstance(value, str) else [json.dumps(value)]


def main(names: list[str]) -> int:
    result = json.load(sys.stdin)
    reasons = [result["failure"]] if "failure" in result else result["problems"]
    width = max(map(len, names), default=0)
    for name in names:
        found = values(result, name)
        if not found:
            reasons.append(f"there is no {name}: {json.dumps(result)}")
            continue
        first, *others = lines(found[0]) or [""]
        print(f"  {name:{width}}  {first}")
        for line in others:
            print(f"  {'':{width}}  {line}")
    for reason in reasons:
        print(f"threeds_shown.py: {reason}", file=sys.stderr)
    return 1 if reasons else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
