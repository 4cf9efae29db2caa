import { describe, expect, it } from 'vitest';
import {
  canEdit,
  type OwnershipEffect,
  type OwnershipMessage,
  type OwnershipState,
  openOwnership,
  stepOwnership,
} from '@/lib/core/editor';

/** Tabs of one browser on one item, with the channel between them and a clock. */
class Browser {
  now = 0;
  readonly log: string[] = [];
  readonly #tabs = new Map<string, OwnershipState>();
  readonly #asleep = new Set<string>();

  open(tab: string): this {
    const step = openOwnership(tab, this.now);
    this.#tabs.set(tab, step.state);
    this.#act(tab, step.effects);
    return this;
  }

  takeOver(tab: string): this {
    return this.#feed(tab, { type: 'take-over', now: this.now });
  }

  close(tab: string): this {
    return this.#feed(tab, { type: 'close' });
  }

  /** Gone without a word. */
  crash(tab: string): this {
    this.#tabs.delete(tab);
    return this;
  }

  sleep(tab: string): this {
    this.#asleep.add(tab);
    return this;
  }

  wakeUp(tab: string): this {
    this.#asleep.delete(tab);
    return this;
  }

  pass(ms: number): this {
    for (const end = this.now + ms; this.now < end; ) {
      this.now += 100;
      for (const tab of [...this.#tabs.keys()])
        if (!this.#asleep.has(tab)) this.#feed(tab, { type: 'tick', now: this.now });
    }
    return this;
  }

  editors(): string[] {
    return [...this.#tabs].filter(([, state]) => canEdit(state)).map(([tab]) => tab);
  }

  #feed(tab: string, event: Parameters<typeof stepOwnership>[1]): this {
    const state = this.#tabs.get(tab);
    if (!state) return this;
    const step = stepOwnership(state, event);
    this.#tabs.set(tab, step.state);
    this.#act(tab, step.effects);
    return this;
  }

  #act(tab: string, effects: readonly OwnershipEffect[]): void {
    for (const effect of effects) {
      if (effect.kind === 'say' || effect.kind === 'yield') this.#tell(effect.message);
      if (effect.kind !== 'say') this.log.push(`${tab} ${effect.kind}`);
    }
  }

  #tell(message: OwnershipMessage): void {
    for (const tab of [...this.#tabs.keys()])
      if (tab !== message.from && !this.#asleep.has(tab))
        this.#feed(tab, { type: 'heard', message, now: this.now });
  }
}

describe('two tabs on one item', () => {
  it('lets the first draw and the second read', () => {
    const browser = new Browser().open('b').pass(400).open('a').pass(1000);
    expect(browser.editors()).toEqual(['b']);
    expect(browser.log).toContain('a become-reader');
  });

  it('never lets two draw when both open at once', () => {
    for (const names of [
      ['a', 'b', 'c'],
      ['c', 'b', 'a'],
    ]) {
      const browser = new Browser();
      for (const name of names) browser.open(name);
      expect(browser.pass(3000).editors()).toHaveLength(1);
    }
  });

  it('hands over when the reader takes over, after the owner stored its work', () => {
    const browser = new Browser().open('a').pass(400).open('b').pass(400).takeOver('b').pass(200);
    expect(browser.editors()).toEqual(['b']);
    expect(browser.log.slice(-3)).toEqual(['a become-reader', 'b become-owner', 'a yield']);
    expect(browser.pass(5000).editors()).toEqual(['b']);
  });

  it('hands over without an answer from an owner that sleeps, who then finds itself a reader', () => {
    const browser = new Browser().open('a').pass(400).open('b').pass(400).sleep('a').takeOver('b').pass(2000);
    expect(browser.editors()).toContain('b');
    expect(browser.wakeUp('a').pass(300).editors()).toEqual(['b']);
  });

  it('lets a reader draw when the owner closes or crashes', () => {
    expect(new Browser().open('a').pass(400).open('b').pass(400).close('a').pass(500).editors()).toEqual([
      'b',
    ]);
    expect(new Browser().open('a').pass(400).open('b').pass(400).crash('a').pass(8000).editors()).toEqual([
      'b',
    ]);
  });

  it('goes to one of several readers', () => {
    const browser = new Browser().open('a').pass(400).open('c').open('b').pass(400).close('a').pass(1000);
    expect(browser.editors()).toHaveLength(1);
  });
});
