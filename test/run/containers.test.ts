import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '@/bin/commands';
import { projectFolder, readConfig } from '@/lib/config';
import { type VariableName, variables } from '@/lib/config/variables';
import { type Plain, readPlainYaml } from '../support/plain-yaml';

type Fields = Record<string, Plain>;

const read = (file: string) => readFileSync(path.join(projectFolder, file), 'utf8');
const compose = readPlainYaml(read('compose.yaml')) as Fields;
const services = Object.entries(compose.services as Record<string, Fields>);
const fieldsOf = (name: string) => (compose.services as Record<string, Fields>)[name] as Fields;
const own = services.filter(([, { image }]) => String(image).startsWith('tessera:'));
const lines = read('Containerfile')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const version = JSON.parse(read('package.json')).version;

/** What compose makes of `${NAME:?…}` and `${NAME:-otherwise}`. */
const filled = (text: string) =>
  text.replace(/\$\{\w+:-([^}]*)\}/g, '$1').replace(/\$\{\w+:\?[^}]*\}/g, '0123456789abcdef0123456789abcdef');

const environmentOf = (fields: Fields): Record<string, string> =>
  Object.fromEntries(
    Object.entries((fields.environment ?? {}) as Record<string, string>).map(([name, text]) => [
      name,
      filled(text),
    ]),
  );

/** No container engine is here to run them: this is what can be known without one. */
describe('the container file', () => {
  it('takes exactly one version of Node, which the product supports', () => {
    const images = lines.filter((line) => line.startsWith('FROM ')).map((line) => line.split(' ')[1]);
    expect(new Set(images).size).toBe(1);
    expect(images[0]).toMatch(/^docker\.io\/library\/node:20\.\d+\.\d+-bookworm-slim$/);
  });

  it('sets only variables that the product knows, to values that it takes', () => {
    const set =
      lines
        .find((line) => line.startsWith('ENV '))
        ?.split(' ')
        .slice(1) ?? [];
    const given = Object.fromEntries(set.map((pair) => pair.split('=') as [string, string]));
    for (const name of Object.keys(given)) expect([...Object.keys(variables), 'NODE_ENV']).toContain(name);
    expect(readConfig(given)).toMatchObject({
      HOST: '0.0.0.0',
      PORT: 3000,
      home: '/data',
      TESSERA_DEMO: 'off',
    });
  });

  it('runs as an ordinary user, and a command that exists', () => {
    expect(lines.filter((line) => line.startsWith('USER '))).toEqual(['USER node']);
    expect(lines.at(-2)).toBe('ENTRYPOINT ["node", "bin/tessera.mjs"]');
    const [command] = JSON.parse(lines.at(-1)?.replace('CMD ', '') ?? '');
    expect(commands.map(({ name }) => name)).toContain(command);
  });

  it('leaves out what was built and stored here, and copies only files that are there', () => {
    expect(read('.dockerignore')).toBe(read('.containerignore'));
    const left = read('.dockerignore').trim().split('\n');
    for (const name of ['.git', '.next', '.tessera', 'node_modules']) expect(left).toContain(name);
    for (const name of ['package.json', 'package-lock.json']) expect(read(name)).not.toBe('');
  });

  it('needs nothing at run time that is for development only', () => {
    const { dependencies } = JSON.parse(read('package.json'));
    for (const name of ['tsx', 'next', 'typescript', 'tailwindcss', '@tailwindcss/postcss', 'pg', 'pino'])
      expect(Object.keys(dependencies)).toContain(name);
  });
});

describe('the compose file', () => {
  it('has a database, a migration before everything, two web servers and a worker', () => {
    expect(services.map(([name]) => name)).toEqual(['database', 'migrate', 'web', 'worker']);
    expect((fieldsOf('web').deploy as Fields).replicas).toBe('2');
    for (const [name, { depends_on }] of own)
      expect(Object.keys(depends_on as Fields), name).toEqual([name === 'migrate' ? 'database' : 'migrate']);
  });

  it('pins every image to a version', () => {
    for (const [name, { image }] of services) expect(image, name).toMatch(/:\d+\.\d+(\.\d+)?(-bookworm)?$/);
    for (const [, { image }] of own) expect(image).toBe(`tessera:${version}`);
  });

  it('gives our processes variables that they know, and commands that exist', () => {
    for (const [name, fields] of own) {
      expect(commands.map((command) => command.name)).toContain(String(fields.command).split(' ')[0]);
      const given = environmentOf(fields);
      expect(Object.keys(given).filter((variable) => !(variable in variables))).toEqual([]);
      expect(readConfig(given).DATABASE_URL, name).toContain('@database:5432/tessera');
    }
  });

  it('writes no secret down: whoever starts it has to make them', () => {
    for (const [, fields] of own) {
      for (const [name, text] of Object.entries((fields.environment ?? {}) as Record<string, string>)) {
        const isSecret = 'isSecret' in variables[name as VariableName];
        if (isSecret) expect(text).toMatch(/\$\{\w+:\?[^}]+\}/);
      }
    }
    expect(String((fieldsOf('database').environment as Fields).POSTGRES_PASSWORD)).toMatch(/^\$\{\w+:\?/);
  });

  it('shares one secret, one store and one database between all of them', () => {
    for (const [, fields] of own) {
      expect(fields.environment).toEqual(fieldsOf('web').environment);
      expect(fields.volumes).toEqual(['data:/data']);
    }
    const named = Object.keys(compose.volumes as Fields);
    for (const [, { volumes }] of services)
      for (const volume of volumes as string[]) expect(named).toContain(volume.split(':')[0]);
  });

  it('leaves as many connections as the processes open', () => {
    const pool = readConfig(environmentOf(fieldsOf('web'))).TESSERA_DATABASE_POOL;
    const most = Number(/max_connections=(\d+)/.exec(String(fieldsOf('database').command))?.[1]);
    expect(2 * (pool + 1) + (pool + 5)).toBeLessThan(most - 20);
  });

  it('waits for a process as long as it needs to stop', () => {
    const { TESSERA_DRAIN_SECONDS: drain } = readConfig(environmentOf(fieldsOf('web')));
    for (const [, { stop_grace_period: grace }] of own.slice(1))
      expect(Number.parseInt(String(grace), 10)).toBeGreaterThan(drain + 20);
  });
});
