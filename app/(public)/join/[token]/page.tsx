import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { getWorkerFormat } from '@/app/_i18n/request';
import { ButtonLink } from '@/app/_ui/button';
import { database } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import { currentActor } from '@/lib/services/access/page';
import { findInvitation, shownAddress } from '@/lib/services/accounts';
import { offerOf } from '@/lib/services/crowd/recruit';
import { OfferTable } from '../offer-table';
import { JoinAsMe } from './join-as-me';
import { JoinForm } from './join-form';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('join'))('title') };
}

const nothingIfGone = (error: unknown) => {
  if (error instanceof TesseraError && error.kind === 'not-found') return null;
  throw error;
};

async function Closed() {
  const t = await getTranslations();
  return (
    <>
      <div>
        <h1 className="text-xl font-semibold tracking-tight">{t('join.closedTitle')}</h1>
        <p className="mt-1 text-ink-2">{t('join.closedText')}</p>
      </div>
      <div>
        <ButtonLink href="/sign-in" variant="primary">
          {t('signIn.submit')}
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
  const t = await getTranslations('join');
  const format = await getWorkerFormat();
  return (
    <>
      <div>
        <h1 className="text-xl font-semibold tracking-tight">
          {project ? t('joinProject', { project: project.name }) : t('joinSite')}
        </h1>
        <p className="mt-1 text-ink-2">
          {t('role', { role: makesAdmin ? 'admin' : roles.length === 1 ? (roles[0] ?? '') : 'several' })}{' '}
          {t('validUntil', { date: format.dateTime(invitation.expiresAt) })}
        </p>
        {project?.description && (
          <p dir="auto" className="mt-3 text-base">
            {project.description}
          </p>
        )}
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
