import { getTranslations } from 'next-intl/server';
import { FallbackNote, inLanguage } from '@/app/_i18n/project-texts';
import { getWorkerFormat } from '@/app/_i18n/request';
import { TermsLine } from '@/app/annotate/_terms/terms-line';
import { type ProjectTexts, textKeys } from '@/lib/core/translations';
import type { Offer } from '@/lib/services/crowd/recruit';

interface OfferTableProps {
  offer: Offer;
  texts: ProjectTexts;
  /** Through which people are paid who come this way. */
  marketplace?: string;
}

/** What is asked, what it pays and how long it takes, before a person decides. */
export async function OfferTable({ offer, texts, marketplace }: OfferTableProps) {
  const t = await getTranslations();
  const format = await getWorkerFormat();
  const payTerms = texts.show(textKeys.payTerms, offer.payTerms);
  const stages = offer.stages.map((stage) => ({
    ...stage,
    shown: texts.show(textKeys.stageName(stage.id), stage.name),
  }));
  return (
    <section
      aria-labelledby="offer"
      className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4"
    >
      <h2 id="offer" className="font-semibold">
        {t('join.offerTitle')}
      </h2>
      <ul className="flex flex-col gap-3">
        {stages.map(({ id, shown, kind, terms, exam }) => (
          <li key={id}>
            <h3 {...inLanguage(shown.language)} className="text-ink-2">
              {shown.text}
            </h3>
            {terms && <TermsLine terms={terms.work} stageKind={kind} />}
            {exam && (
              <p className="text-sm text-ink-2">
                {t('join.offerExam', { money: format.money(exam.payMicro, offer.currency) })}
              </p>
            )}
          </li>
        ))}
      </ul>
      <p className="text-ink-2">
        {t('join.hourlyTarget', { money: format.money(offer.hourlyTargetMicro, offer.currency) })}
      </p>
      {(offer.payTerms !== '' || marketplace) && (
        <div>
          <h3 className="font-medium">{t('join.payment')}</h3>
          {marketplace && <p className="text-ink-2">{t('money.marketplace', { marketplace })}</p>}
          <p {...inLanguage(payTerms.language)} className="whitespace-pre-line text-ink-2">
            {payTerms.text}
          </p>
        </div>
      )}
      <FallbackNote coverage={texts.coverage} original={texts.original} />
    </section>
  );
}
