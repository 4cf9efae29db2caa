import { betterAuth } from 'better-auth';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { APIError, createAuthEndpoint, createAuthMiddleware } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { type Database, database, newId, tables } from '@/db';
import { type Config, readConfig } from '@/lib/config';
import { trustedOrigins } from '@/lib/config/network';
import { authorOf } from '@/lib/core/actor';
import { TesseraError } from '@/lib/core/errors';
import { record } from '@/lib/services/activity';
import { log } from '@/lib/services/observability/log';
import { type Attempt, countAttempt, deviceCookie, forgiveAttempt, newDevice } from './password-guard';
import { consume, type RateRule } from './rate-limit';
import { cleanRequestId, clientAddress, requestIdHeader } from './request-headers';

const days = 24 * 60 * 60;

/** Generous, because a lab or a crowd may share one address; guesses are counted by the password guard. */
const signInsPerAddress: RateRule = { window: 60, max: 30 };

function createAuth(db: Database, config: Config) {
  if (!config.TESSERA_SECRET) {
    throw new TesseraError('invalid', 'TESSERA_SECRET is not set: start Tessera with `npm start`.');
  }
  return betterAuth({
    appName: 'Tessera',
    baseURL: config.url,
    basePath: '/api/auth',
    secret: config.TESSERA_SECRET,
    trustedOrigins: trustedOrigins(config),
    telemetry: { enabled: false },
    logger: { level: 'error', log: (_level, message) => log.warn(`sign-in: ${message}`) },
    onAPIError: {
      // A refusal is an answer, not a fault.
      onError: (error) => {
        if (!(error instanceof APIError)) log.error({ err: error }, 'unexpected error at sign-in');
      },
    },
    database: drizzleAdapter(db, {
      provider: 'pg',
      schema: {
        user: tables.users,
        session: tables.sessions,
        account: tables.accounts,
        verification: tables.verifications,
      },
    }),
    // scrypt (N=16384, r=16: 32 MB per attempt) is better-auth's own default.
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 10, maxPasswordLength: 128 },
    user: {
      additionalFields: {
        isAdmin: { type: 'boolean', input: false, required: false },
        disabledAt: { type: 'date', input: false, required: false },
      },
    },
    // A session has a fixed end: pages cannot renew a cookie while they render.
    session: { expiresIn: 14 * days, disableSessionRefresh: true },
    advanced: {
      cookiePrefix: 'tessera',
      useSecureCookies: config.url.startsWith('https:'),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' },
      database: { generateId: () => newId() },
    },
    rateLimit: {
      enabled: true,
      ...signInsPerAddress,
      customRules: { '/sign-in/*': signInsPerAddress },
      customStorage: { consume: (key, rule) => consume(db, key, rule) },
    },
    plugins: [visitors()],
    databaseHooks: {
      session: {
        create: { before: async (session) => ((await isDisabled(db, session.userId)) ? false : undefined) },
      },
    },
    hooks: {
      before: createAuthMiddleware(async (context) => {
        if (context.path !== '/sign-in/email') return;
        const { retryAfter } = await countAttempt(db, await attemptOf(context));
        if (retryAfter === null) return;
        throw new APIError(
          'TOO_MANY_REQUESTS',
          { message: 'Too many attempts. Wait a few minutes.' },
          { 'retry-after': String(retryAfter) },
        );
      }),
      after: createAuthMiddleware(async (middleware) => {
        const { path, body, context, headers } = middleware;
        if (path === '/sign-in/email' && context.newSession) {
          await forgiveAttempt(db, await attemptOf(middleware));
          const { name, attributes } = context.createAuthCookie(deviceCookie.name, deviceCookie);
          await middleware.setSignedCookie(name, newDevice(body?.email), context.secret, attributes);
        }
        const user = context.session?.user;
        if (path !== '/change-password' || !user || context.returned instanceof Error) return;
        const requestId = cleanRequestId(headers?.get(requestIdHeader) ?? null);
        const actor = authorOf(user, requestId);
        await record(db, { actor, verb: 'password.change', subject: 'user', subjectId: user.id });
      }),
    },
  });
}

type Middleware = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/** Every sign-in passes an address that `stampAddress` has written. */
async function attemptOf({ body, context, headers, getSignedCookie }: Middleware): Promise<Attempt> {
  const { name } = context.createAuthCookie(deviceCookie.name, deviceCookie);
  return {
    email: body?.email,
    address: clientAddress(headers ?? new Headers()),
    device: (await getSignedCookie(name, context.secret)) || null,
  };
}

async function isDisabled(db: Database, userId: string): Promise<boolean> {
  const [user] = await db
    .select({ disabledAt: tables.users.disabledAt })
    .from(tables.users)
    .where(eq(tables.users.id, userId));
  return user?.disabledAt != null;
}

type Auth = ReturnType<typeof createAuth>;

/** One per database, also across the bundles that Next makes of this module. */
const held = globalThis as { tesseraAuth?: WeakMap<Database, Auth> };

export function auth(db: Database = database()): Auth {
  held.tesseraAuth ??= new WeakMap();
  let found = held.tesseraAuth.get(db);
  if (!found) {
    found = createAuth(db, readConfig());
    held.tesseraAuth.set(db, found);
  }
  return found;
}

/**
 * A session without a password, for somebody whom a marketplace has sent and whom `arrive` has let in. It has no
 * address: only our own code can call it. The session lasts a day and the cookie until the browser closes, because
 * the computer may be shared.
 */
const visitors = () => ({
  id: 'visitors' as const,
  endpoints: {
    signInVisitor: createAuthEndpoint.serverOnly(
      { method: 'POST', body: z.object({ userId: z.uuid() }) },
      async (context) => {
        const { internalAdapter } = context.context;
        const user = await internalAdapter.findUserById(context.body.userId);
        // Of a disabled account no session is made, whatever the types say.
        const session = user && (await internalAdapter.createSession(user.id, true));
        if (!user || !session) throw context.error('UNAUTHORIZED');
        await setSessionCookie(context, { session, user }, true);
        return context.json({ userId: user.id });
      },
    ),
  },
});
