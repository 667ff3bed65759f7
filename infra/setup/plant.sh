#!/usr/bin/env bash
# Prints a time zone in which it is now between ten and eleven in the morning, as the plant's zone for tests. So the
# plant's day does not end during a test run: sessions and "today" end with the day.
set -euo pipefail
behind=$((10#$(date -u +%H) - 10))
[ "$behind" -le 12 ] || behind=$((behind - 24))
printf 'Etc/GMT%+d\n' "$behind" # The sign is POSIX's: GMT+6 is six hours behind UTC.
