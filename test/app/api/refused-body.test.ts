import { Agent, request as send } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keyOf } from '../../services/access/people';
import { type ApiServer, serveApi } from '../../support/api-server';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { oneOfEach } from '../../support/one-of-each';

const db = useDatabase();
useHome();
let api: ApiServer;
let key = '';
const paths: Record<string, string> = {};

beforeAll(async () => {
  const { ids, member } = await oneOfEach(db());
  key = await keyOf(db(), member, 'projects:write', 'images:write');
  const project = `/api/v1/projects/${ids.project}`;
  Object.assign(paths, {
    filter: `${project}/filters`,
    file: `${project}/uploads/${ids.upload}/files?name=a.png`,
  });
  process.env.TESSERA_UPLOAD_GB = '0.001';
  api = await serveApi();
});

afterAll(async () => {
  delete process.env.TESSERA_UPLOAD_GB;
  await api.close();
});

/** Five times over one connection, each once the one before is answered. */
async function askFiveTimes(method: string, path: string, type: string, isChunked = false) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const sockets = new Set<unknown>();
  const ask = () =>
    new Promise<number | string>((done) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': type };
      const asked = send(new URL(path, api.url), { method, agent, headers }, (reply) =>
        reply.resume().once('end', () => done(reply.statusCode ?? 0)),
      );
      asked.on('socket', (socket) => sockets.add(socket)).on('error', (error) => done(String(error)));
      const body = Buffer.alloc(6_000_000, ' ');
      if (!isChunked) return void asked.end(body);
      asked.write(body);
      asked.end();
    });
  const answers: (number | string)[] = [];
  for (let time = 0; time < 5; time++) answers.push(await ask());
  agent.destroy();
  return { answers, connections: sockets.size };
}

const refused = { answers: [413, 413, 413, 413, 413], connections: 1 };

it('a request after a refused one is answered over the same connection: JSON that is too long', async () => {
  expect(await askFiveTimes('POST', paths.filter ?? '', 'application/json')).toEqual(refused);
});

it('and a file that is too long, by what it says or by what comes', async () => {
  const type = 'application/octet-stream';
  expect(await askFiveTimes('PUT', paths.file ?? '', type)).toEqual(refused);
  expect(await askFiveTimes('PUT', paths.file ?? '', type, true)).toEqual(refused);
});
