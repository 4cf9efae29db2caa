import { z } from 'zod';
import { readConfig } from '@/lib/config';
import { TesseraError } from '@/lib/core/errors';

/** Long enough for a slow answer, short enough for a person who waits for the page. */
const TIMEOUT_MS = 10_000;

/** What we read of Prolific's answers (docs.prolific.com, "Retrieve a submission", "List study submissions"). */
const Submission = z.object({
  id: z.string(),
  study_id: z.string(),
  participant: z.string().nullable(),
  status: z.string(),
});

const Submissions = z.object({
  results: z.array(z.object({ id: z.string(), participant_id: z.string(), status: z.string() })),
});

const BonusPayment = z.object({ id: z.string() });

export type ProlificSubmission = z.infer<typeof Submission>;

/** The few calls of Prolific's API that we make. */
export interface ProlificApi {
  /** Null when there is no such submission. */
  submission(id: string): Promise<ProlificSubmission | null>;
  submissionsOf(study: string): Promise<z.infer<typeof Submissions>['results']>;
  /** `lines` are participants with amounts in units of the study's currency. Returns the reference. */
  prepareBonuses(study: string, lines: readonly { participant: string; amount: string }[]): Promise<string>;
  sendBonuses(reference: string): Promise<void>;
}

/** Null when the installation has no token. */
export function prolificApi(): ProlificApi | null {
  const { TESSERA_PROLIFIC_TOKEN: token, TESSERA_PROLIFIC_URL: url } = readConfig();
  if (!token) return null;
  const ask = (path: string, body?: unknown) => request(`${url}/api/v1${path}`, token, body);
  return {
    async submission(id) {
      const found = await ask(`/submissions/${encodeURIComponent(id)}/`);
      return found === null ? null : read(Submission, found);
    },
    async submissionsOf(study) {
      return read(Submissions, await ask(`/studies/${encodeURIComponent(study)}/submissions/`)).results;
    },
    async prepareBonuses(study, lines) {
      const csv = lines.map(({ participant, amount }) => `${participant},${amount}`).join('\n');
      const set = await ask('/submissions/bonus-payments/', { study_id: study, csv_bonuses: csv });
      return read(BonusPayment, set).id;
    },
    async sendBonuses(reference) {
      const sent = await ask(`/bulk-bonus-payments/${encodeURIComponent(reference)}/pay/`, {});
      if (sent === null) throw noAnswer(`no bonus payment ${reference}`);
    },
  };
}

async function request(url: string, token: string, body: unknown): Promise<unknown> {
  const answer = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Token ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error) => {
    throw noAnswer(String(error));
  });
  if (answer.status === 404) return null;
  if (!answer.ok) throw noAnswer(`${answer.status} ${(await answer.text()).slice(0, 300)}`);
  // Paying answers with an empty body.
  const text = await answer.text();
  return text === '' ? {} : JSON.parse(text);
}

function read<S extends z.ZodType>(schema: S, answer: unknown): z.output<S> {
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw noAnswer(`an answer of another form: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

const noAnswer = (why: string) =>
  new TesseraError('unavailable', 'Prolific does not answer as it should. Try again in a minute.', { why });
