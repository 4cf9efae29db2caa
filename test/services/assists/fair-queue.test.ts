import { describe, expect, it } from 'vitest';
import { FairQueue, type Rank } from '@/lib/services/inference/assists/fair-queue';

/** A queue that is busy until it is released, and writes down what it runs. */
function blockedQueue(maxPerOwner = 10) {
  const queue = new FairQueue(maxPerOwner);
  const order: string[] = [];
  let release = () => {};
  const blocker = queue.add(0, 'blocker', '', () => new Promise<void>((resolve) => (release = resolve)));
  const jobs: Promise<unknown>[] = [blocker];
  const add = (rank: Rank, owner: string, key: string) =>
    jobs.push(queue.add(rank, owner, key, async () => order.push(key)));
  const drain = async () => {
    release();
    await Promise.all(jobs);
    return order;
  };
  return { queue, add, drain };
}

describe('the queue of the smart tools', () => {
  it('lets users take turns, however many jobs one of them has', async () => {
    const { add, drain } = blockedQueue();
    for (const key of ['a1', 'a2', 'a3', 'a4']) add(0, 'ann', key);
    for (const key of ['b1', 'b2']) add(0, 'bob', key);
    add(0, 'cem', 'c1');
    expect(await drain()).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });

  it('runs what somebody waits for before what is prepared', async () => {
    const { add, drain } = blockedQueue();
    add(2, 'ann', 'ahead');
    add(1, 'ann', 'soon');
    add(2, 'bob', 'ahead of bob');
    add(0, 'bob', 'now');
    expect(await drain()).toEqual(['now', 'soon', 'ahead', 'ahead of bob']);
  });

  it('moves a job to the rank of whoever now needs it', async () => {
    const { queue, add, drain } = blockedQueue();
    add(2, 'ann', 'a1');
    add(2, 'ann', 'a2');
    add(1, 'bob', 'b1');
    queue.promote('a2', 0, 'cem');
    queue.promote('unknown', 0, 'cem');
    expect(await drain()).toEqual(['a2', 'b1', 'a1']);
  });

  it('drops the oldest job of an owner who adds too many', async () => {
    const { queue, add, drain } = blockedQueue(2);
    const dropped = queue.add(2, 'ann', 'a0', async () => 'ran');
    for (const key of ['a1', 'a2']) add(2, 'ann', key);
    add(2, 'bob', 'b1');
    expect(await dropped).toBeUndefined();
    expect(queue.waiting(2, 'ann')).toBe(2);
    expect(queue.waiting(2)).toBe(3);
    expect(await drain()).toEqual(['a1', 'b1', 'a2']);
  });

  it('goes on after a job that fails', async () => {
    const queue = new FairQueue(2);
    const failing = queue.add(0, 'ann', 'a', async () => Promise.reject(new Error('no')));
    const next = queue.add(0, 'ann', 'b', async () => 'done');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('done');
  });
});
