import { getTranslations } from 'next-intl/server';
import { ButtonLink } from '@/app/_ui/button';
import type { OwnPayee } from '@/lib/services/crowd/pay';

/** Projects that cannot pay a worker before they know where to. */
export async function PayeeNotice({ payees }: { payees: readonly OwnPayee[] }) {
  const t = await getTranslations('payee');
  const missing = payees.filter(({ isAsked, state }) => isAsked && state !== 'stored');
  return missing.map(({ project }) => (
    <p
      key={project.id}
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md bg-warn-soft px-4 py-3 text-warn"
    >
      <span className="min-w-0 flex-1 basis-64">{t('notice', { project: project.name })}</span>
      <ButtonLink href={`/annotate/${project.slug}/payee`}>{t('add')}</ButtonLink>
    </p>
  ));
}
