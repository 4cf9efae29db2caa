import type { Vote } from '@/lib/core/quality/aggregate';

/**
 * Table 1 of Dawid & Skene (1979): 45 patients, five anaesthetists, the first of whom looked three times; classes
 * 1 to 4. A line is a patient: the three ratings of the first, then the ratings of the other four.
 */
const table = `1111111 3334334 1122122 2223121 2223222 2223322 1222111 3333433 2222223 2322223 4444444 2223343 1111111
2223212 1211111 1112111 1111111 1111111 2222221 2221322 2222222 2222221 2223222 2212222 1111111 1111111 2322222
1111111 1111111 1121121 1111111 3333233 1111111 2222222 2223232 4334343 2212232 2323233 3333432 1111111 1111111
1212111 2322222 1211111 2222222`;

export const anaesthetists: Vote[] = table.split(/\s+/).flatMap((ratings, patient) =>
  [...ratings].map((value, n) => ({
    item: `patient ${patient + 1}`,
    worker: `anaesthetist ${Math.max(1, n - 1)}`,
    value,
  })),
);
