export { decideAboutGold, type GoldDecision } from './decide-about-gold';
