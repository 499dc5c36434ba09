export { CuttableProxy, type Direction } from '@form-webhooks/survive';
