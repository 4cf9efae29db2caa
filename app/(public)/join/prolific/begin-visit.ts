'use server';

import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { action } from '@/app/_actions/action';
import type { FormState } from '@/app/_actions/form-state';
import { explained } from '@/app/_i18n/explain-error';
import { signInVisitor } from '@/app/_shell/ask-auth';
import { database } from '@/db';
import { conflict, TesseraError } from '@/lib/core/errors';
import { consume } from '@/lib/services/access';
import { currentActor } from '@/lib/services/access/page';
import { clientAddress, requestIdHeader } from '@/lib/services/access/request-headers';
import { type Arrived, arrive, recruiterOf } from '@/lib/services/crowd/recruit';

const GivenQuery = z.record(z.string().max(50), z.string().max(200).optional());

export type BeginState = FormState & {
  /** How the visit ended, if it has. */
  over?: { state: string; completionUrl: string | null };
};

/** A lab or a household may share one address; somebody who tries ids needs far more. */
const perAddress = { window: 60, max: 20 };

const overStates: Record<string, string> = { 'screened-out': 'screenedOut', 'timed-out': 'timedOut' };

/** Asks who vouches for the visitor, signs them in and leads them to the consent page. */
export const beginVisit = action([GivenQuery], async (given): Promise<BeginState> => {
  const head = await headers();
  let arrived: Arrived | undefined;
  const refused = await explained(async () => {
    const { allowed } = await consume(database(), `arrive|${clientAddress(head)}`, perAddress);
    if (!allowed) throw new TesseraError('rate-limited', 'Too many attempts. Wait a minute, then try again.');
    arrived = await arrive(database(), recruiterOf('prolific'), {
      query: given,
      signedInAs: (await currentActor())?.userId ?? null,
      requestId: head.get(requestIdHeader),
    });
    if (arrived.kind === 'arrived' && !(await signInVisitor(arrived.userId))) {
      throw conflict('You cannot take part in this study any more.', { code: 'removed' });
    }
  });
  if (arrived?.kind === 'over') {
    return {
      over: { state: overStates[arrived.state] ?? arrived.state, completionUrl: arrived.completionUrl },
    };
  }
  if (refused.error || arrived?.kind !== 'arrived') return refused;
  redirect(`/annotate/${arrived.slug}/consent`);
});
