import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EmbeddedServer, findEmbedded, hasExited, startEmbedded } from '@/db/embedded';
import { ensureSecrets } from '@/lib/config/secrets';

let home: string;
let password: string;
const started: EmbeddedServer[] = [];

beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'tessera-embedded-'));
  chmodSync(home, 0o711);
  password = ensureSecrets(home).databasePassword;
});

afterEach(async () => {
  const servers = started.splice(0);
  // All are stopped before any folder goes: two of them may have been one after the other in the same one.
  for (const server of servers) await server.stop();
  for (const { place } of servers) {
    const { data } = place;
    // Outside of the home, the folder above the data is for this home alone.
    rmSync(data.startsWith(home) ? data : path.dirname(data), { recursive: true, force: true });
  }
  rmSync(home, { recursive: true, force: true });
});

async function start(kind: 'durable' | 'throwaway' = 'throwaway'): Promise<EmbeddedServer> {
  const server = await startEmbedded(home, password, { kind });
  started.push(server);
  return server;
}

async function ask(server: EmbeddedServer, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: server.url() });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

describe('the embedded PostgreSQL', () => {
  it('keeps its rows over a stop and a start', async () => {
    const first = await start();
    await ask(first, 'create table kept as select 1 as n');
    await first.stop();
    expect(await hasExited(first.pid, 0)).toBe(true);
    expect(findEmbedded(home, password)).toBeUndefined();
    const second = await start();
    expect(second.wasRunning).toBe(false);
    expect(await ask(second, 'select n from kept')).toEqual([{ n: 1 }]);
  });

  it('is joined when it runs already', async () => {
    const first = await start();
    const second = await start();
    expect(second).toMatchObject({ pid: first.pid, port: first.port, wasRunning: true });
  });

  it('starts after it was killed, and knows what was committed', async () => {
    const first = await start('durable');
    await ask(first, 'create table kept as select 1 as n');
    process.kill(first.pid, 'SIGKILL');
    expect(await hasExited(first.pid, 10_000)).toBe(true);
    const second = await start();
    expect(await ask(second, 'select n from kept')).toEqual([{ n: 1 }]);
  });

  it('is not fooled by a file that names a process of somebody else', async () => {
    const first = await start();
    await first.stop();
    const lines = [process.pid, first.place.data, 0, 1, '', '127.0.0.1', '', 'ready', ''];
    writeFileSync(path.join(first.place.data, 'postmaster.pid'), lines.join('\n'));
    const second = await start();
    expect(second.pid).not.toBe(process.pid);
    expect(await ask(second, 'select 1 as n')).toEqual([{ n: 1 }]);
  });

  it('listens on this machine only, without a socket file, and asks for the password', async () => {
    const server = await start();
    expect(await ask(server, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    expect(await ask(server, 'show unix_socket_directories')).toEqual([{ unix_socket_directories: '' }]);
    const stranger = new pg.Client({ connectionString: server.url().replace(password, 'guess') });
    await expect(stranger.connect()).rejects.toThrow('password authentication failed');
  });

  it('leaves no password file and no half-made folder behind', async () => {
    const server = await start();
    const beside = readdirSync(path.dirname(server.place.data));
    expect(beside.filter((name) => name.endsWith('.password') || name.endsWith('.new'))).toEqual([]);
  });

  it('does away with what a start that was killed has left half-made', async () => {
    const left = path.join(home, 'postgres.new');
    writeFileSync(left, 'half');
    const server = await start();
    expect(existsSync(left)).toBe(false);
    expect(await ask(server, 'select 1 as n')).toEqual([{ n: 1 }]);
  });

  it('runs also where only the starter may enter, as root as well as an ordinary user', async () => {
    chmodSync(home, 0o700);
    const first = await start();
    await ask(first, 'create table kept as select 1 as n');
    await first.stop();
    const second = await start();
    expect(second.place.data).toBe(first.place.data);
    expect(await ask(second, 'select n from kept')).toEqual([{ n: 1 }]);
    const isRoot = process.getuid?.() === 0;
    expect(second.place.data.startsWith(home)).toBe(!isRoot);
    expect(second.place.account === undefined).toBe(!isRoot);
  });

  it('keeps durable data durable', async () => {
    const server = await start('durable');
    for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums']) {
      expect(await ask(server, `show ${setting}`)).toEqual([{ [setting]: 'on' }]);
    }
  });
});
