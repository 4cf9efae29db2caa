import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

export const token = 'prolific-token-of-the-tests';

export interface FakeSubmission {
  id: string;
  study_id: string;
  participant: string;
  status: string;
}

/** The parts of api.prolific.com that we call, with answers of the recorded form, over real HTTP. */
export function useProlific() {
  const submissions = new Map<string, FakeSubmission>();
  const bonuses: { study_id: string; csv_bonuses: string; isPaid: boolean }[] = [];
  const state = { isDown: false, refusesToPay: false };
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const [status, answer] = state.isDown ? [502, 'bad gateway'] : reply(request, body);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });

  function reply(request: IncomingMessage, body: Record<string, string>): [number, unknown] {
    if (request.headers.authorization !== `Token ${token}`) return [401, { error: { status: 401 } }];
    const path = request.url ?? '';
    const one = /^\/api\/v1\/submissions\/([^/]+)\/$/.exec(path)?.[1];
    if (one && request.method === 'GET') {
      const found = submissions.get(one);
      return found ? [200, recorded(found)] : [404, { error: { status: 404, title: 'Not found' } }];
    }
    const study = /^\/api\/v1\/studies\/([^/]+)\/submissions\/$/.exec(path)?.[1];
    if (study) {
      const results = [...submissions.values()].filter((each) => each.study_id === study).map(listed);
      return [200, { results, _links: { self: { href: path } }, meta: { count: results.length } }];
    }
    if (path === '/api/v1/submissions/bonus-payments/') {
      bonuses.push({ study_id: body.study_id ?? '', csv_bonuses: body.csv_bonuses ?? '', isPaid: false });
      return [201, { id: `bonus-${bonuses.length}`, study: body.study_id, amount: 100, fees: 33, vat: 7 }];
    }
    const bonus = /^\/api\/v1\/bulk-bonus-payments\/bonus-(\d+)\/pay\/$/.exec(path)?.[1];
    const paid = bonuses[Number(bonus) - 1];
    if (paid && state.refusesToPay) return [503, 'no'];
    if (paid?.isPaid) return [400, { error: { status: 400, title: 'Already paid' } }];
    if (paid) paid.isPaid = true;
    return paid ? [202, ''] : [404, {}];
  }

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    process.env.TESSERA_PROLIFIC_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    process.env.TESSERA_PROLIFIC_TOKEN = token;
  });
  afterAll(async () => {
    delete process.env.TESSERA_PROLIFIC_URL;
    delete process.env.TESSERA_PROLIFIC_TOKEN;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { submissions, bonuses, state };
}

const times = { started_at: '2026-11-16T05:00:00.000Z', completed_at: null };

const recorded = ({ id, study_id, participant, status }: FakeSubmission) => ({
  id,
  study_id,
  participant,
  status,
  ...times,
  entered_code: null,
  bonus_payments: [],
  return_requested: null,
});

const listed = ({ id, study_id, participant, status }: FakeSubmission) => ({
  id,
  study_id,
  participant_id: participant,
  status,
  ...times,
  study_code: null,
  time_taken: null,
});

async function bodyOf(request: IncomingMessage): Promise<Record<string, string>> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text === '' ? {} : JSON.parse(text);
}

let last = 0;
/** 24 hexadecimal digits, as Prolific's ids have. */
export const prolificId = () => (++last).toString(16).padStart(24, '5f');
