import { byLicence, dependencies, isCompatible } from './dependencies';

/** `npm run licences`: every package of the lock by licence; fails on one that cannot go with Apache-2.0. */
const all = dependencies();
for (const [licence, list] of byLicence(all)) {
  console.log(`${licence} (${list.length})`);
  console.log(`  ${list.map(({ name, version }) => `${name} ${version}`).join(', ')}`);
}
const refused = all.filter(({ licence }) => !isCompatible(licence));
for (const { name, version, licence } of refused)
  console.error(`${name} ${version}: ${licence} does not go with the Apache License 2.0.`);
console.log(`${all.length} packages, ${refused.length} with a licence that does not fit.`);
process.exit(refused.length > 0 ? 1 : 0);
