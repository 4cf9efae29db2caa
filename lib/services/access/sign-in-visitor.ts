import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { z } from 'zod';

/**
 * A session without a password, for somebody whom a marketplace has sent and whom `arrive` has let in. It has no
 * address: only our own code can call it. The session lasts a day and the cookie until the browser closes, because
 * the computer may be shared.
 */
export const visitors = () => ({
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
