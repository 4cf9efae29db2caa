import { describe, expect, it } from 'vitest';
import { KeyQueue, type QueuedKey } from '@/app/_ui/key-queue';

/** A page that uses every key but those in `unused`, and draws itself when `draw` is called. */
function makePage(unused: readonly string[] = []) {
  const used: string[] = [];
  const rejected: string[] = [];
  const scheduled: (() => void)[] = [];
  /** What the page does with a key; a story may make it busy there. */
  const effects: Record<string, () => void> = {};
  const queue = new KeyQueue<QueuedKey>({
    deliver({ name, type }) {
      used.push(type === 'keyup' ? `${name} up` : name);
      effects[name]?.();
      return !unused.includes(name);
    },
    reject: (keys) => rejected.push(...keys.map(({ name }) => name)),
    schedule: (work) => scheduled.push(work),
  });
  const draw = () => {
    for (let work = scheduled.shift(); work; work = scheduled.shift()) work();
  };
  const press = (name: string, change: Partial<QueuedKey> = {}) =>
    queue.offer({ type: 'keydown', name, code: name, isRepeat: false, ...change });
  return { queue, used, rejected, effects, draw, press };
}

const viewer = Symbol('viewer');
const all = () => true;

describe('a key pressed while the next item loads was lost', () => {
  it('waits until the item is ready', () => {
    const { queue, press, used, draw } = makePage();
    queue.setPart(viewer, all);
    expect(press('F')).toBe(true);
    draw();
    expect(used).toEqual([]);
    queue.setPart(viewer, null);
    draw();
    expect(used).toEqual(['F']);
  });

  it('keeps the order, also of keys that could have worked at once', () => {
    const { queue, press, used, draw } = makePage();
    queue.setPart(viewer, (name) => name === 'A');
    expect(press('J')).toBe(false);
    expect(press('A')).toBe(true);
    expect(press('J')).toBe(true);
    queue.setPart(viewer, null);
    // Pressed by a person before the page came to it.
    expect(press('K')).toBe(true);
    draw();
    expect(used).toEqual(['A', 'J', 'K']);
    expect(press('K')).toBe(false);
  });

  it('waits again when a key makes the page load another item', () => {
    const { queue, press, used, effects, draw } = makePage();
    effects.A = () => queue.setPart(viewer, all);
    queue.setPart(viewer, all);
    press('A');
    press('F');
    queue.setPart(viewer, null);
    draw();
    expect(used).toEqual(['A']);
    queue.setPart(viewer, null);
    draw();
    expect(used).toEqual(['A', 'F']);
  });

  it('goes over from one part of the page to the next', () => {
    const { queue, press, used, rejected, draw } = makePage();
    const next = Symbol('next');
    queue.setPart(viewer, all);
    press('1');
    queue.removePart(viewer);
    queue.setPart(next, all);
    draw();
    expect(used).toEqual([]);
    queue.setPart(next, null);
    draw();
    expect(used).toEqual(['1']);
    expect(rejected).toEqual([]);
  });

  it('brings a key up again that has gone down', () => {
    const { queue, press, used, draw } = makePage();
    queue.setPart(viewer, all);
    press('Space');
    expect(press('Space', { type: 'keyup' })).toBe(true);
    expect(press('H', { type: 'keyup' })).toBe(false);
    queue.setPart(viewer, null);
    draw();
    expect(used).toEqual(['Space', 'Space up']);
  });
});

describe('a key that cannot be applied is rejected visibly', () => {
  it('when nothing on the page uses it', () => {
    const { queue, press, rejected, draw } = makePage(['Q']);
    queue.setPart(viewer, all);
    press('Q');
    press('A');
    queue.setPart(viewer, null);
    draw();
    expect(rejected).toEqual(['Q']);
  });

  it('when the page is left', () => {
    const { queue, press, used, rejected, draw } = makePage();
    queue.setPart(viewer, all);
    press('A');
    press('A', { type: 'keyup' });
    queue.removePart(viewer);
    draw();
    expect({ used, rejected }).toEqual({ used: [], rejected: ['A'] });
  });

  it('when what it was meant for did not come', () => {
    const { queue, press, used, rejected, draw } = makePage();
    queue.setPart(viewer, all);
    press('1');
    press('2');
    queue.rejectAll();
    queue.setPart(viewer, null);
    draw();
    expect({ used, rejected }).toEqual({ used: [], rejected: ['1', '2'] });
  });

  it('when there are too many', () => {
    const { queue, press, rejected } = makePage();
    queue.setPart(viewer, all);
    for (let i = 0; i < 40; i++) press('A');
    expect(queue.length).toBe(32);
    expect(rejected).toHaveLength(8);
  });
});

describe('keys that are not for the item', () => {
  it.each(['Tab', 'Shift+Tab', 'Escape', 'F5', 'Mod+R', 'Mod+L', 'Mod+C', 'Shift', 'Alt+Tab'])(
    '%s goes to the browser',
    (name) => {
      const { queue, press } = makePage();
      queue.setPart(viewer, all);
      press('A');
      expect(press(name)).toBe(false);
    },
  );

  it('a key that is held down decides about one item only', () => {
    const { queue, press } = makePage();
    queue.setPart(viewer, all);
    press('A');
    expect(press('A', { isRepeat: true })).toBe(true);
    expect(queue.length).toBe(1);
  });
});
