import { describe, expect, it } from 'vitest';
import { commands } from '@/bin/commands';
import { chosenKinds } from '@/bin/commands/worker';
import { suggestions } from '@/bin/help';
import { runTessera } from '../support/instance';

describe('the tessera command', () => {
  it('lists its commands', async () => {
    const { code, output } = await runTessera(['--help']);
    expect(code).toBe(0);
    for (const { name, summary } of commands) {
      expect(output).toContain(name);
      expect(output).toContain(summary);
    }
  });

  it('says how each command is used', async () => {
    for (const { name, load } of commands) {
      const { command } = await load();
      for (const option of Object.values(command.options))
        expect(option.description, name).toMatch(/^[A-Z].*\.$/);
    }
    const { code, output } = await runTessera(['users', 'invite', '--help']);
    expect(code).toBe(0);
    expect(output).toContain('Usage: tessera users invite [options]');
    expect(output).toContain('--email <address>');
  });

  it('answers a slip of the finger with what was probably meant', async () => {
    const { code, output } = await runTessera(['strat']);
    expect(code).toBe(2);
    expect(output).toContain('Did you mean `start`?');
    const names = commands.map(({ name }) => name);
    expect(suggestions(['user', 'list'], names)).toEqual(['users list']);
    expect(suggestions(['jobs', 'cancle'], names)).toEqual(['jobs cancel']);
    expect(suggestions(['xyzzy'], names)).toEqual([]);
  });

  it('refuses options and arguments that it does not know', async () => {
    const option = await runTessera(['doctor', '--fast']);
    expect(option.code).toBe(2);
    expect(option.output).toContain("Unknown option '--fast'");
    expect((await runTessera(['migrate', 'now'])).code).toBe(2);
  });

  it('lets a worker be for some kinds of jobs, and for none that does not exist', () => {
    const all = ['ingest', 'train', 'export-version'].map((kind) => ({ kind }));
    const kinds = (values: Parameters<typeof chosenKinds>[1]) =>
      chosenKinds(all, values).map(({ kind }) => kind);
    expect(kinds({})).toEqual(['ingest', 'train', 'export-version']);
    expect(kinds({ only: ['train'] })).toEqual(['train']);
    expect(kinds({ except: ['train'] })).toEqual(['ingest', 'export-version']);
    expect(() => kinds({ only: ['trian'] })).toThrow('There is no kind of job "trian"');
    expect(() => kinds({ only: ['train'], except: ['train'] })).toThrow('no kind of job to take');
  });

  it('has one name per command', () => {
    expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length);
  });
});
