import { expect, it } from 'vitest';
import { inTurn } from '@/lib/core/concurrency';

it('two judgements in a moment reach the server in their order, though the first takes longer or fails', async () => {
  const send = inTurn();
  const stored: string[] = [];
  const slowly = (word: string, ms: number, isRefused = false) =>
    send(async () => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      if (isRefused) throw new Error(`${word} was refused`);
      stored.push(word);
      return word;
    });
  const said = await Promise.allSettled([
    slowly('right', 30),
    slowly('wrong', 20, true),
    slowly('right again', 0),
  ]);
  expect(stored).toEqual(['right', 'right again']);
  expect(said.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});
