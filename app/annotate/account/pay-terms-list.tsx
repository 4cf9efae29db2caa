import { getTranslations } from 'next-intl/server';
import type { PayTerms } from '@/lib/services/crowd/pay';
import { recruiterOf } from '@/lib/services/crowd/recruit';

/** Who pays the worker in each project, how and when. */
export async function PayTermsList({ terms }: { terms: readonly PayTerms[] }) {
  const t = await getTranslations('money');
  return (
    <ul className="divide-y divide-line">
      {terms.map(({ project, recruiter, terms: text }) => (
        <li key={project.id} className="flex flex-col gap-1 px-4 py-3">
          <h3 className="font-medium">{project.name}</h3>
          <p className="max-w-prose text-ink-2">
            {recruiter === 'pool'
              ? [t('pool'), text === '' ? t('poolUnknown') : ''].filter(Boolean).join(' ')
              : t('marketplace', { marketplace: recruiterOf(recruiter).title })}
          </p>
          {text !== '' && (
            <p dir="auto" className="max-w-prose whitespace-pre-line">
              {text}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
