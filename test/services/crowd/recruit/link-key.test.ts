import { beforeEach, describe, expect, it } from 'vitest';
import { arrivalLink, arrive, createRecruitment, recruiterOf } from '@/lib/services/crowd/recruit';
import { useDatabase } from '../../../support/database';
import { tests } from '../../access/people';
import { type Workshop, workshop } from '../workshop';
import { prolificId } from './fake-prolific';

const db = useDatabase();
const codes = { finished: 'DONE1234', screenedOut: 'SCREEN12', returned: 'RETURN12' };

let shop: Workshop;
let study: string;
let key: string;

beforeEach(async () => {
  shop = await workshop(db());
  study = prolificId();
  const made = await createRecruitment(db(), tests, {
    projectId: shop.projectId,
    recruiter: 'prolific',
    externalId: study,
    settings: { codes },
  });
  key = new URL(arrivalLink(made)).searchParams.get('key') as string;
});

const come = (worker: string, session: string, more: { key?: string; signedInAs?: string } = {}) =>
  arrive(db(), recruiterOf('prolific'), {
    query: { PROLIFIC_PID: worker, STUDY_ID: study, SESSION_ID: session, key: more.key ?? key },
    signedInAs: more.signedInAs ?? null,
    requestId: null,
  });

const kindOf = (promise: Promise<unknown>) =>
  promise.then(
    (value) => (value as { kind: string }).kind,
    (error) => error.kind,
  );

describe('without a token for the API of Prolific', () => {
  it('the secret of the link lets people in, and they can open the link again', async () => {
    const [worker, session] = [prolificId(), prolificId()];
    const first = await come(worker, session);
    expect(first).toMatchObject({ kind: 'arrived', isNew: true });
    expect(await come(worker, session)).toMatchObject({ kind: 'arrived', isNew: false });
  });

  it('nobody comes in without it, or with that of another study', async () => {
    expect(await kindOf(come(prolificId(), prolificId(), { key: '' }))).toBe('invalid');
    const other = await createRecruitment(db(), tests, {
      projectId: shop.projectId,
      recruiter: 'prolific',
      externalId: prolificId(),
      settings: { codes },
    });
    const otherKey = new URL(arrivalLink(other)).searchParams.get('key') as string;
    expect(await kindOf(come(prolificId(), prolificId(), { key: otherKey }))).toBe('invalid');
  });

  it('another participant of the study, who knows the secret, does not get into an account by its id', async () => {
    const [worker, session] = [prolificId(), prolificId()];
    await come(worker, session);
    expect(await kindOf(come(worker, prolificId()))).toBe('invalid');
    expect(await kindOf(come(prolificId(), session))).toBe('invalid');
  });

  it('a second visit is possible in the browser of the first', async () => {
    const worker = prolificId();
    const first = await come(worker, prolificId());
    const userId = first.kind === 'arrived' ? first.userId : '';
    expect(await come(worker, prolificId(), { signedInAs: userId })).toMatchObject({ userId, isNew: false });
  });
});
