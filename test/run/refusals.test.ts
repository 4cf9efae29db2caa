import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { runTessera, temporaryHome } from '../support/instance';
import { createEmptyDatabase } from '../support/server';

let place: Awaited<ReturnType<typeof temporaryHome>>;
beforeEach(async () => {
  place = await temporaryHome();
});
afterEach(() => place.remove());

const withDatabase = (url: string) => runTessera(['migrate'], { ...place.env, DATABASE_URL: url });

describe('a start that cannot be', () => {
  it('names the port that is in use and how to choose another, before anything slow', async () => {
    const other: Server = createServer();
    await new Promise<void>((done) => other.listen(place.port, '127.0.0.1', done));
    const { code, output } = await runTessera(['start'], place.env);
    other.close();
    expect(code).toBe(1);
    expect(output).toContain(`Port ${place.port} is in use`);
    expect(output).toContain(`PORT=${place.port + 1} npm start`);
    expect(readdirSync(place.home)).toEqual([]);
  });

  it('says that HOST is not an address of this machine', async () => {
    const { code, output } = await runTessera(['start'], { ...place.env, HOST: '192.0.2.1' });
    expect(code).toBe(1);
    expect(output).toContain('HOST=192.0.2.1 is not an address of this machine');
  });

  it('names every variable that is wrong, and what it is for', async () => {
    const { code, output } = await runTessera(['start'], {
      ...place.env,
      PORT: 'http',
      TESSERA_SECRET: 'short',
      DATABASE_URL: 'mysql://me:open-sesame@host/db',
    });
    expect(code).toBe(1);
    expect(output).toContain('PORT must be a whole number from 0 to 65535, but is "http"');
    expect(output).toContain('TESSERA_SECRET must have at least 32 characters');
    expect(output).toContain('DATABASE_URL must look like');
    expect(output).not.toContain('mysql://me:open-sesame');
    expect(output).not.toContain('at readConfig');
  });

  it('leaves the data folder of another PostgreSQL alone and says what can be done', async () => {
    const data = path.join(place.home, 'postgres');
    mkdirSync(data);
    writeFileSync(path.join(data, 'PG_VERSION'), '12\n');
    const { code, output } = await runTessera(['migrate'], place.env);
    expect(code).toBe(1);
    expect(output).toContain('made by PostgreSQL 12');
    expect(output).toContain('DATABASE_URL');
    expect(output).toContain('TESSERA_HOME');
    expect(readdirSync(data)).toEqual(['PG_VERSION']);
  });

  it('does not write into a folder that only looks like a database', async () => {
    const data = path.join(place.home, 'postgres');
    mkdirSync(data);
    writeFileSync(path.join(data, 'notes.txt'), 'mine');
    const { code, output } = await runTessera(['migrate'], place.env);
    expect(code).toBe(1);
    expect(output).toContain('holds no PostgreSQL database');
    expect(readdirSync(data)).toEqual(['notes.txt']);
  });

  it('says that the secrets are damaged instead of making new ones', async () => {
    writeFileSync(path.join(place.home, 'secrets.json'), '{');
    const { code, output } = await runTessera(['migrate'], place.env);
    expect(code).toBe(1);
    expect(output).toContain('secrets.json is damaged');
    rmSync(path.join(place.home, 'secrets.json'));
  });

  it('says that the secrets belong to another database', { timeout: 60_000 }, async () => {
    await runTessera(['migrate'], place.env);
    rmSync(path.join(place.home, 'secrets.json'));
    const { code, output } = await runTessera(['migrate'], place.env);
    expect(code).toBe(1);
    expect(output).toContain('Put the secrets.json that belongs to it back');
  });

  it('says that a file is where the home should be', async () => {
    const file = path.join(place.home, 'file');
    writeFileSync(file, '');
    const { code, output } = await runTessera(['migrate'], { TESSERA_HOME: path.join(file, 'home') });
    expect(code).toBe(1);
    expect(output).toContain('a file is in the way');
    expect(output).toContain('Set TESSERA_HOME');
  });
});

describe('a DATABASE_URL that cannot be used', () => {
  it('says that nothing answers there', async () => {
    const { code, output } = await withDatabase(`postgres://me:secret@127.0.0.1:${place.port}/tessera`);
    expect(code).toBe(1);
    expect(output).toContain('Nothing answers at that host and port');
  });

  it('says that the host is unknown', async () => {
    const { output } = await withDatabase('postgres://me:secret@no-such-host.invalid/tessera');
    expect(output).toContain('no host of that name');
  });

  it('says that the password is wrong, without printing it', async () => {
    const url = new URL(inject('adminUrl'));
    url.password = 'not-this-one';
    const { code, output } = await withDatabase(url.href);
    expect(code).toBe(1);
    expect(output).toContain('The user or the password is wrong');
    expect(output).not.toContain('not-this-one');
  });

  it('says that the database does not exist', async () => {
    const url = new URL(inject('adminUrl'));
    url.pathname = 'nowhere';
    const { output } = await withDatabase(url.href);
    expect(output).toContain('The database does not exist');
  });

  it('says that the tables are of a newer release', { timeout: 60_000 }, async () => {
    const database = await createEmptyDatabase(inject('adminUrl'));
    expect((await withDatabase(database.url)).code).toBe(0);
    await database.db.execute(
      `insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9999999999999)`,
    );
    const { code, output } = await withDatabase(database.url);
    expect(code).toBe(1);
    expect(output).toContain('newer release of Tessera');
    await database.drop();
  });
});
