import { attributeEditReport } from '../report/attribute-edit-report';
import { attributeStatistics } from '../report/attribute-statistics';
import { attributeSurrogateReport } from '../report/attribute-surrogate-report';
import { insertAttributes } from '../variants/attributes/insert';
import { removeAttributes } from '../variants/attributes/remove';
import { grayAttributes } from '../variants/gray-variant';
import { joined, onAll, type Suite } from './suite';

export const attributes: Suite = {
  id: 'attributes',
  name: 'What the attributes do',
  says: 'Attributes covered, laid on other images, and fitted to what the model says.',
  refusal: ({ marked }) =>
    marked.length > 0
      ? null
      : 'The schema has no attributes. Add some, have them answered and drawn, and freeze a version.',
  variants: ({ attributes: drawn }) =>
    drawn.length === 0
      ? []
      : onAll([removeAttributes(drawn), insertAttributes(drawn), grayAttributes(drawn)]),
  report: (table, { attributes: drawn, marked, seed }) =>
    joined([
      attributeSurrogateReport(table, marked, seed),
      ...(drawn.length > 0 ? [attributeEditReport(table, drawn, seed)] : []),
      attributeStatistics(table, marked),
    ]),
};
