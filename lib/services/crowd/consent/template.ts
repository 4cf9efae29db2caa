import type { StageKind } from '@/db/schema';
import { formatCount, formatMoney, formatNumber } from '@/lib/core/format';
import type { Policy } from '@/lib/core/quality/policy';
import { drawsMasks } from '../work/pay-for';
import type { ConsentDocument } from './document';

export interface ConsentSubject {
  name: string;
  description: string;
  stages: readonly StageKind[];
  policy: Policy;
  /** An address that answers questions; null when only the inviting person is known. */
  contact: string | null;
}

/** A consent text from what the project asks and pays. A curator may change every word of it. */
export function consentTemplate(subject: ConsentSubject): ConsentDocument {
  return {
    projectTitle: subject.name,
    purpose: purposeOf(subject),
    procedures: `${workOf(subject)} You need a computer with a mouse, a pen or a touch screen. You decide when to work, how much, and when to stop.`,
    confidentiality:
      'Your answers are stored under a number that was made up for you. Your name, your e-mail address, your number at a marketplace and the record of your pay are seen only by the people who run the project and by nobody who gets the data. Published datasets and papers say nothing about who gave an answer. While you work, the page counts how each answer is entered: how many clicks, key presses and pointer movements there are, how even they are, how fast they come and whether the page is in view. It does not record which keys you press or where the pointer is. These counts help to recognise programs that pose as people. On their own they never end your work. A person looks at them first, and you can appeal. You can download them on your account page.',
    risks:
      'We know of no risk beyond that of ordinary work at a screen. If a picture is unpleasant or does not belong here, report it with one click; you lose nothing by it.',
    compensation: payOf(subject),
    qualificationTest: examOf(subject),
    rightToWithdraw:
      'Taking part is your own choice. You can stop at any moment, also in the middle of a batch, and you can withdraw on your account page without giving a reason. What you finished until then is paid; work that is open goes back to others. You lose nothing else.',
    contact: subject.contact
      ? `Write to ${subject.contact}, also if you think that a decision about your work is wrong. Every such decision can be appealed against on your account page.`
      : 'Write to the person who invited you, also if you think that a decision about your work is wrong. Every such decision can be appealed against on your account page.',
    statement:
      'I am at least 18 years old. I have read this text, my questions have been answered, and I take part of my own free will. I may print a copy of this page.',
  };
}

const purposeOf = ({ name, description }: ConsentSubject) =>
  `${description.trim() || `The project "${name}" collects descriptions of pictures.`} The result is a dataset with which computer-vision models are trained and tested. We ask you because people see what such models still miss.`;

function workOf({ stages }: ConsentSubject): string {
  const asks = stages.some((kind) => kind === 'attributes');
  const draws = stages.some(drawsMasks);
  if (asks && draws) {
    return 'You look at pictures, choose the words that describe what they show, and outline parts of it.';
  }
  if (draws) return 'You look at pictures and outline the things that are asked for.';
  return asks
    ? 'You look at pictures and choose the words that describe what they show.'
    : 'You look at pictures and say what they show.';
}

function payOf({ stages, policy }: ConsentSubject): string {
  const { pay, batchSize } = policy;
  const money = (micro: number) => formatMoney(BigInt(micro), pay.currency);
  const lines = [
    stages.includes('attributes') &&
      `${money(pay.attributeBatch)} for a batch of ${formatCount(batchSize.attributes, 'picture')}`,
    stages.some(drawsMasks) && `${money(pay.mask)} for each outline`,
  ].filter((line) => line !== false);
  const rates = lines.length > 0 ? `You are paid ${lines.join(' and ')}. ` : '';
  return `${rates}We aim at ${money(pay.hourlyTarget)} or more for an hour of work. How long batches really take is measured, so that a bonus can make up for rates that turn out too low. A batch that you end early is paid for what is finished. Being wrong about an item never costs you the pay for it.`;
}

function examOf({ stages, policy }: ConsentSubject): string {
  const { attributeExam, maskExam, pay } = policy;
  const money = (micro: number) => formatMoney(BigInt(micro), pay.currency);
  const percent = (share: number) => `${formatNumber(share * 100)} %`;
  const parts = [
    stages.includes('attributes') &&
      attributeExam.isRequired &&
      `Before you describe pictures you take an exam of up to ${formatCount(attributeExam.images, 'picture')}: at least ${percent(attributeExam.minPrecision)} of what you mark must be right and at least ${percent(attributeExam.minRecall)} of what is there must be marked. It pays ${money(pay.attributeExam)}.`,
    stages.some(drawsMasks) &&
      maskExam.isRequired &&
      `Before you draw you take an exam of up to ${formatCount(maskExam.masks, 'outline')}, which must overlap with the known ones by ${percent(maskExam.minMeanIou)} on average. It pays ${money(pay.maskExam)}.`,
  ].filter((part) => part !== false);
  const checks =
    'During the work a few items have an answer that we know already; they show how well the work goes, and you see your own score.';
  return parts.length > 0
    ? `${parts.join(' ')} An exam is paid whether you pass or not. ${checks}`
    : `There is no exam. ${checks}`;
}
