import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { acceptInvitation as acceptEndpoint } from '@/app/api/v1/people';
import { invitations, memberships, users } from '@/db/schema';
import { createInvitation, shownAddress, signInAddress } from '@/lib/services/accounts';
import { browserOf, call } from '../../../app/api/call';
import { useDatabase } from '../../../support/database';
import { password, project, tests } from '../../access/people';

const db = useDatabase();
let birds: Awaited<ReturnType<typeof project>>;

beforeAll(async () => {
  birds = await project(db());
});

const invite = (more: Partial<Parameters<typeof createInvitation>[2]> = {}) =>
  createInvitation(db(), tests, {
    projectId: birds.id,
    roles: ['worker'],
    cohort: 'Autumn',
    expiresAt: new Date(Date.now() + 86_400_000),
    ...more,
  });

const join = (token: string, pseudonym: string) =>
  call(acceptEndpoint, { body: { token, account: { pseudonym, password } } });

describe('the own pool', () => {
  it('takes in a person who leaves no e-mail address, and who signs in by the pseudonym', async () => {
    const { token } = await invite();
    const joined = await join(token, 'Quiet-Heron');
    expect(joined.status).toBe(200);
    const [user] = await db().select().from(users).where(eq(users.id, joined.json.userId));
    expect(user?.name).toBe('Quiet-Heron');
    expect(shownAddress(user?.email as string)).toBe('quiet-heron');
    await browserOf(signInAddress(' Quiet-Heron '));
  });

  it('puts people into the cohort of their link', async () => {
    const { token } = await invite();
    const joined = await join(token, 'blue-jay');
    const [member] = await db().select().from(memberships).where(eq(memberships.userId, joined.json.userId));
    expect(member).toMatchObject({ role: 'worker', cohort: 'Autumn' });
  });

  it('knows a pseudonym once, however it is written', async () => {
    const { token } = await invite({ seats: 5 });
    expect((await join(token, 'Kingfisher')).status).toBe(200);
    const again = await join(token, 'kingFISHER');
    expect(again.status).toBe(409);
    expect(again.json.detail).toContain('pseudonym is taken');
  });

  it('runs out of seats', async () => {
    const { token } = await invite({ seats: 2 });
    const outcomes = [];
    for (const name of ['seat-one', 'seat-two', 'seat-three'])
      outcomes.push((await join(token, name)).status);
    expect(outcomes).toEqual([200, 200, 404]);
  });

  it('closes when the link has expired', async () => {
    const made = await invite();
    await db()
      .update(invitations)
      .set({ expiresAt: new Date(0) })
      .where(eq(invitations.id, made.id));
    expect((await join(made.token, 'too-late')).status).toBe(404);
  });

  it('lets nobody claim the made-up address of another, and no name that could be one', async () => {
    const { token } = await invite({ seats: 5 });
    const claim = await call(acceptEndpoint, {
      body: { token, account: { name: 'Eve', email: 'kingfisher@pseudonym.invalid', password } },
    });
    expect(claim.status).toBe(400);
    for (const name of ['a', 'eve@example.org', '../etc', 'x'.repeat(41), 'dots..twice'])
      expect((await join(token, name)).status).toBe(400);
  });

  it('does not take a pseudonym where the link is for one address', async () => {
    const { token } = await invite({ email: 'zoe@example.org' });
    expect((await join(token, 'not-zoe')).status).toBe(400);
  });
});
