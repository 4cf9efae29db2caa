import type { Metadata } from 'next';
import { ButtonLink } from '@/app/_ui/button';
import { database } from '@/db';
import { currentActor } from '@/lib/auth/page';
import { offerOf } from '@/lib/crowd/recruit';
import { TesseraError } from '@/lib/errors';
import { formatDateTime } from '@/lib/format';
import { findInvitation, shownAddress } from '@/lib/users';
import { OfferTable } from '../offer-table';
import { JoinAsMe } from './join-as-me';
import { JoinForm } from './join-form';

export const metadata: Metadata = { title: 'Join' };

const nothingIfGone = (error: unknown) => {
  if (error instanceof TesseraError && error.kind === 'not-found') return null;
  throw error;
};

function Closed() {
  return (
    <>
      <div>
        <h1 className="text-xl font-semibold tracking-tight">This invitation is no longer open</h1>
        <p className="mt-1 text-ink-2">
          It was used up or withdrawn, or its time is over. Ask the person who sent it for a new link. If you
          have joined with it already, just sign in.
        </p>
      </div>
      <div>
        <ButtonLink href="/sign-in" variant="primary">
          Sign in
        </ButtonLink>
      </div>
    </>
  );
}

export default async function Join({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const invitation = await findInvitation(database(), token).catch(nothingIfGone);
  if (!invitation) return <Closed />;
  const actor = await currentActor();
  const { project, roles, makesAdmin } = invitation;
  return (
    <>
      <div>
        <h1 className="text-xl font-semibold tracking-tight">
          {project ? `Join ${project.name}` : 'Join this installation'}
        </h1>
        <p className="mt-1 text-ink-2">
          You are invited as {makesAdmin ? 'an admin of the whole installation' : roles.join(' and ')}. The
          link works until {formatDateTime(invitation.expiresAt)} UTC.
        </p>
        {project?.description && <p className="mt-3 text-base">{project.description}</p>}
      </div>
      {project && roles.includes('worker') && <OfferTable offer={await offerOf(database(), project.id)} />}
      {actor ? (
        <JoinAsMe token={token} name={actor.name} email={shownAddress(actor.email)} />
      ) : (
        <JoinForm
          token={token}
          email={invitation.email}
          mayBePseudonymous={invitation.email === null && roles.every((role) => role === 'worker')}
        />
      )}
    </>
  );
}
