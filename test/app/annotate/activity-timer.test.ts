import { describe, expect, it } from 'vitest';
import { ActivityTimer } from '@/app/annotate/_work/activity-timer';

describe('the time spent on an item', () => {
  it('counts from move to move', () => {
    const timer = new ActivityTimer();
    timer.touch(1000);
    timer.touch(4000);
    expect(timer.spent(5000)).toBe(4000);
  });

  it('counts at most half a minute of a pause', () => {
    const timer = new ActivityTimer();
    timer.touch(0);
    timer.touch(600_000);
    expect(timer.spent(600_000)).toBe(30_000);
  });

  it('stands still while the page is hidden', () => {
    const timer = new ActivityTimer();
    timer.touch(0);
    timer.pause(2000);
    expect(timer.spent(20_000)).toBe(2000);
    timer.touch(20_000);
    expect(timer.spent(21_000)).toBe(3000);
  });

  it('goes on from what was counted before a reload', () => {
    const timer = new ActivityTimer();
    timer.touch(0);
    timer.add(5000);
    expect(timer.spent(1000)).toBe(6000);
  });

  it('never runs backwards with the clock', () => {
    const timer = new ActivityTimer();
    timer.touch(10_000);
    timer.touch(4000);
    expect(timer.spent(4500)).toBe(500);
  });
});
