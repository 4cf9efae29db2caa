import { describe, expect, it } from 'vitest';
import { csvResponse } from '@/app/_ui/table/csv-response';

describe('a list as a CSV', () => {
  it('is sent with its head, and formulas are disarmed', async () => {
    async function* rows() {
      yield ['=1+1', 2, null];
    }
    expect(await csvResponse('list', ['a', 'b', 'c'], rows()).text()).toBe("a,b,c\r\n'=1+1,2,\r\n");
  });

  it('that cannot be read to its end ends as cut off, and the server lives on', async () => {
    async function* rows() {
      yield ['first'];
      throw new Error('the database went away');
    }
    await expect(csvResponse('list', ['a'], rows()).text()).rejects.toThrow('the database went away');
  });

  it('is read no further when the client leaves', async () => {
    let leave: () => void = () => undefined;
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    async function* rows() {
      try {
        for (;;) yield ['x'.repeat(1000)];
      } finally {
        leave();
      }
    }
    const reader = csvResponse('list', ['a'], rows()).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await left;
  });
});
