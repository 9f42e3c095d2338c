--
-- PostgreSQL database dump
--

\restrict WrVfucG8CBWdRvqTbh94aDTLcmMX6XyRuf4uhYBMdeUodmQyb3gTHiLBtT8ScjM

-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: accounts; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.accounts (
    enterprise text NOT NULL,
    type text NOT NULL,
    id text NOT NULL,
    person bytea,
    muted_until bigint,
    replaced_by_type text,
    replaced_by_id text,
    is_test bigint DEFAULT 0 NOT NULL,
    tag bytea,
    consents bytea,
    CONSTRAINT accounts_is_test_check CHECK ((is_test = ANY (ARRAY[(0)::bigint, (1)::bigint])))
);


ALTER TABLE public.accounts OWNER TO bank;

--
-- Name: activations; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.activations (
    id text NOT NULL,
    enterprise text NOT NULL,
    account_type text NOT NULL,
    account_id text NOT NULL,
    issued bigint NOT NULL,
    deadline bigint NOT NULL,
    state bigint NOT NULL,
    closed bigint,
    code bytea,
    claim_digest bytea,
    claim_offer bytea,
    failure_times bytea NOT NULL,
    tag bytea
);


ALTER TABLE public.activations OWNER TO bank;

--
-- Name: archived_transactions; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.archived_transactions (
    id text NOT NULL,
    enterprise text NOT NULL,
    account_type text NOT NULL,
    account_id text NOT NULL,
    canonical_bytes bytea NOT NULL,
    accepted_authentication bigint NOT NULL,
    created bigint NOT NULL,
    deadline bigint NOT NULL,
    state bigint NOT NULL,
    closed bigint NOT NULL,
    device bytea,
    detail text,
    evidence bytea,
    tag bytea
);


ALTER TABLE public.archived_transactions OWNER TO bank;

--
-- Name: attempts; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.attempts (
    device bytea NOT NULL,
    id bytea NOT NULL,
    created bigint NOT NULL,
    fingerprint bytea NOT NULL,
    verdict text NOT NULL,
    tag bytea
);


ALTER TABLE public.attempts OWNER TO bank;

--
-- Name: audit; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.audit (
    sequence bigint NOT NULL,
    moment bigint NOT NULL,
    actor text NOT NULL,
    kind text NOT NULL,
    enterprise text,
    account_type text,
    account_id text,
    subject text NOT NULL,
    detail text NOT NULL,
    traces bytea NOT NULL,
    hash bytea NOT NULL,
    tag bytea
);


ALTER TABLE public.audit OWNER TO bank;

--
-- Name: bank_calls; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.bank_calls (
    enterprise text NOT NULL,
    idempotency_key text NOT NULL,
    created bigint NOT NULL,
    fingerprint bytea NOT NULL,
    outcome text NOT NULL,
    tag bytea
);


ALTER TABLE public.bank_calls OWNER TO bank;

--
-- Name: bank_tokens; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.bank_tokens (
    id bytea NOT NULL,
    secret_digest bytea NOT NULL,
    name text NOT NULL,
    enterprise text,
    role text NOT NULL,
    created bigint NOT NULL,
    expiry bigint NOT NULL,
    revoked bigint,
    tag bytea
);


ALTER TABLE public.bank_tokens OWNER TO bank;

--
-- Name: countersign_commits; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.countersign_commits (
    writer text NOT NULL,
    place bigint NOT NULL,
    number bigint NOT NULL
);


ALTER TABLE public.countersign_commits OWNER TO bank;

--
-- Name: countersign_store; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.countersign_store (
    id bigint NOT NULL,
    version bigint NOT NULL,
    CONSTRAINT countersign_store_id_check CHECK ((id = 1))
);


ALTER TABLE public.countersign_store OWNER TO bank;

--
-- Name: credentials; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.credentials (
    device bytea NOT NULL,
    kind bigint NOT NULL,
    id bytea NOT NULL,
    generation bigint NOT NULL,
    counter bigint NOT NULL,
    status bigint NOT NULL,
    confirmed_epoch bigint NOT NULL,
    seed bytea NOT NULL,
    copy_detected bigint NOT NULL,
    counting_device bytea,
    consecutive_failures bigint NOT NULL,
    consecutive_locks bigint NOT NULL,
    locked_until bigint,
    blocked bigint NOT NULL,
    failure_times bytea NOT NULL,
    tag bytea,
    failures_tag bytea,
    CONSTRAINT credentials_counter_check CHECK ((counter >= 0)),
    CONSTRAINT credentials_generation_check CHECK ((generation >= 0))
);


ALTER TABLE public.credentials OWNER TO bank;

--
-- Name: devices; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.devices (
    id bytea NOT NULL,
    enterprise text NOT NULL,
    account_type text NOT NULL,
    account_id text NOT NULL,
    public_key bytea,
    token_suite text,
    name text NOT NULL,
    status bigint NOT NULL,
    activated bigint NOT NULL,
    notifications text NOT NULL,
    tag bytea,
    notifications_tag bytea,
    CONSTRAINT devices_check CHECK (((public_key IS NULL) <> (token_suite IS NULL)))
);


ALTER TABLE public.devices OWNER TO bank;

--
-- Name: enterprises; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.enterprises (
    id text NOT NULL,
    policy text NOT NULL,
    policy_version bigint NOT NULL,
    tag bytea
);


ALTER TABLE public.enterprises OWNER TO bank;

--
-- Name: imports; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.imports (
    name text NOT NULL,
    line bigint NOT NULL,
    digest bytea NOT NULL,
    accounts bigint NOT NULL,
    tokens bigint NOT NULL,
    rejected bigint NOT NULL
);


ALTER TABLE public.imports OWNER TO bank;

--
-- Name: logins; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.logins (
    id text NOT NULL,
    enterprise text NOT NULL,
    account_type text NOT NULL,
    account_id text NOT NULL,
    device bytea NOT NULL,
    type text NOT NULL,
    data_digest bytea NOT NULL,
    granted bigint NOT NULL,
    redeemed bigint,
    tag bytea
);


ALTER TABLE public.logins OWNER TO bank;

--
-- Name: outbox; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.outbox (
    sequence bigint NOT NULL,
    target bigint NOT NULL,
    device bytea DEFAULT '\x'::bytea NOT NULL,
    enterprise text NOT NULL,
    account_type text NOT NULL,
    account_id text NOT NULL,
    subject text NOT NULL,
    tries bigint NOT NULL,
    started bigint NOT NULL,
    due bigint,
    state bigint NOT NULL
);


ALTER TABLE public.outbox OWNER TO bank;

--
-- Name: rejected_rows; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.rejected_rows (
    import text NOT NULL,
    line bigint NOT NULL,
    reason text NOT NULL
);


ALTER TABLE public.rejected_rows OWNER TO bank;

--
-- Name: transactions; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.transactions (
    id text NOT NULL,
    enterprise text NOT NULL,
    account_type text NOT NULL,
    account_id text NOT NULL,
    canonical_bytes bytea NOT NULL,
    accepted_authentication bigint NOT NULL,
    created bigint NOT NULL,
    deadline bigint NOT NULL,
    number bytea,
    state bigint NOT NULL,
    closed bigint,
    device bytea,
    detail text,
    evidence bytea,
    tag bytea
);


ALTER TABLE public.transactions OWNER TO bank;

--
-- Name: verifier; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.verifier (
    id bigint NOT NULL,
    store_id bytea NOT NULL,
    epoch bigint NOT NULL,
    audit_sequence bigint NOT NULL,
    audit_moment bigint NOT NULL,
    audit_hash bytea NOT NULL,
    fingerprint_key bytea,
    minimum_key_version bigint NOT NULL,
    is_backup bigint NOT NULL,
    tag bytea,
    CONSTRAINT verifier_audit_moment_check CHECK ((audit_moment >= 0)),
    CONSTRAINT verifier_audit_sequence_check CHECK ((audit_sequence >= 0)),
    CONSTRAINT verifier_epoch_check CHECK ((epoch >= 0)),
    CONSTRAINT verifier_id_check CHECK ((id = 1)),
    CONSTRAINT verifier_is_copy_check CHECK ((is_backup = ANY (ARRAY[(0)::bigint, (1)::bigint]))),
    CONSTRAINT verifier_least_key_version_check CHECK ((minimum_key_version >= 0))
);


ALTER TABLE public.verifier OWNER TO bank;

--
-- Data for Name: accounts; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.accounts (enterprise, type, id, person, muted_until, replaced_by_type, replaced_by_id, is_test, tag, consents) FROM stdin;
bank	main	4711	\\x3b4538695fdfb7ac8186dc076c248a0a	1800086400000	\N	\N	0	\\x000000010000000000000003ba816a9c84fdcc49041d5b6aaa1cbe0c	\N
bank	main	4712	\\x3b4538695fdfb7ac8186dc076c248a0a	\N	\N	\N	0	\\x0000000100000000000000027bd2a3c47ca540bf3a9cc49ac7948ae9	\N
bank	main	4715	\N	\N	\N	\N	0	\\x000000010000000000000001e40f63eb38cbfb795fc4e4800ad67973	\N
bank	main	4714	\N	\N	main	4715	0	\\x000000010000000000000002bdd2762de066f27135bc3d4fdc37f9e8	\N
\.


--
-- Data for Name: activations; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.activations (id, enterprise, account_type, account_id, issued, deadline, state, closed, code, claim_digest, claim_offer, failure_times, tag) FROM stdin;
YE0P9MMF6B	bank	main	4711	1800000000000	1800086400000	1	1800000000000	\N	\N	\N	\\x	\\x0000000100000000000000021abc9f9f57b13b06c50e5bc3eb2503b5
CJZ1V9M64K	bank	main	4712	1800000000000	1800086400000	1	1800000000000	\N	\N	\N	\\x	\\x00000001000000000000000291b228431c9f53692ed5ced614560f80
YVRY7TSKWY	bank	main	4714	1800000000000	1800086400000	1	1800000000000	\N	\N	\N	\\x	\\x0000000100000000000000023e1f13cd95fbbfb166d9a0c8dd4a10ae
0HCPJHGXDH	bank	main	4712	1800691200000	1800777600000	0	\N	\\x0100000001ec8983b71e54fe534def901861a1717105d13379e5f9f808ed43872807bf2cf77ae352a0fe95b39a823dedcd08559a1eb9b765	\N	\N	\\x	\\x0000000100000000000000018d55f8806b0783167293216a89d4af54
\.


--
-- Data for Name: archived_transactions; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.archived_transactions (id, enterprise, account_type, account_id, canonical_bytes, accepted_authentication, created, deadline, state, closed, device, detail, evidence, tag) FROM stdin;
01a3185c5000bb5fecee25d926ce99cf	bank	main	4711	\\x4353545801010000000462616e6b0200000020303161333138356335303030626235666563656532356439323663653939636603000000046d61696e04000000043437313105000000010106000000085472616e73666572070000000100080000000d014555520200000000000012670900000025010000000647726f63657200000016444538393337303430303434303533323031333030300a000000000b000000000c00000001020d00000008000001a3185c50000e00000008000001a3185e24c00f0000000800000000000000001000000010ffd88785f6b58570947e45087e388789	2	1800000000000	1800000120000	1	1800000000000	\\x0557b7e6f58ed552b41fde9cae9a9dd1	userPIN	\\x12523a8fa7606260befa7215114b2d559c3ffea0ef0ad0bd98a0434ec432497dea4b7fa790a5815bcf22c86f4bcb04c781af6cc7944a8df01fef8c287066d75f0000001f636f756e7465727369676e206465636973696f6e2d65766964656e636520310557b7e6f58ed552b41fde9cae9a9dd100000020e59b0c39b4307357f9238523c90c58bc44dcb0ae58168af944bc702dde72aad2a50000000475736572000000000000000000000000000000000000000000000000	\\x0000000100000000000000025bfe5f4d48ba563207fc8071512c0a19
01a3185c5000109013b2c6de741b9919	bank	main	4711	\\x4353545801010000000462616e6b0200000020303161333138356335303030313039303133623263366465373431623939313903000000046d61696e04000000043437313105000000010106000000085472616e73666572070000000100080000000d014555520200000000000012670900000025010000000647726f63657200000016444538393337303430303434303533323031333030300a000000000b000000000c00000001020d00000008000001a3185c50000e00000008000001a3185e24c00f00000008000000000000000010000000107191e683b1da91be8a64cfa6e9c7fa31	2	1800000000000	1800000120000	2	1800000000000	\\x0557b7e6f58ed552b41fde9cae9a9dd1	notMe	\\x0f096896ec80a8d7aa2e46840c70486310258c728537920ae259d82e3dd6fe5801ccd6c9bf7ced4b2705e188757009d5a77a4db7ec6c55dc68c351b193510bbb0000001f636f756e7465727369676e206465636973696f6e2d65766964656e636520310557b7e6f58ed552b41fde9cae9a9dd100000020c6f949321457576f11719bccd91c5405f2cdd644d66e93aed78d739893ec33f05900000006646576696365000000000000000000000000000000000000000000000000	\\x000000010000000000000002e481cb88a72623da0adaa97dfe108c88
\.


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.attempts (device, id, created, fingerprint, verdict, tag) FROM stdin;
\\x0557b7e6f58ed552b41fde9cae9a9dd1	\\x5986def03c58b080cb2466ef1a8c9c29	1800691200000	\\x16be9f44d09dcde00a7fdc1e90211c9c4d23a905f1b162b2256a1aac7610c058	wrong counted 4	\\x00000001000000000000000145f5721d13b1bdfe9464386ab826542a
\\x0557b7e6f58ed552b41fde9cae9a9dd1	\\x0dc35fc9067f23b84afabb922d8678e8	1800691200000	\\x1158ba68ac1c80a57bd7646c138089b2ebe8ffc629f0367e961373d1638ab88e	accepted 01a3418f3000c0289d03fcff25e1723c	\\x000000010000000000000001d64bb4dcd84113010c59888bb62f3fd3
\.


--
-- Data for Name: audit; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.audit (sequence, moment, actor, kind, enterprise, account_type, account_id, subject, detail, traces, hash, tag) FROM stdin;
1	1800000000000	operator	enterprise.created	\N	\N	\N	bank		\\x0000000a02020000000462616e6b00000000000000204e0fc91590c1e47efba43945b1c0cf422f8180b2f5c8e8a2b240b20808379f39	\\xd1f31209ae020ff2990dff5fb5b2a6a05f99ef80fc242eee29261a566e34d971	\\x0000000100000000000000015ef16106794792bc4efe7c0a5a693cef
2	1800000000000	operator	account.created	bank	main	4711	main/4711		\\x0000001c03020000000462616e6b02000000046d61696e0200000004343731310000000000000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b81119	\\x0f7a999a46701acef68f8efa5ef386f59a8476ddda21b17cf1a08c1c1d06d4b4	\\x0000000100000000000000019524ff55980d129f8bdeb7cd0f9ba746
3	1800000000000	token:core	activation.issued	bank	main	4711	YE0P9MMF6B		\\x0000001004020000000a59453050394d4d46364200000000000000207a0899eae102ab86cc7dc66ffc2b03880fc735300df829992db80ba778e729c7	\\xc6daa369648c680f7c60ecf609fff1988ba658db74e906f3f952406cfe642fa8	\\x00000001000000000000000165c12a8dbd4b38a8648083500b9e1384
4	1800000000000	verifier	activation.claimed	bank	main	4711	YE0P9MMF6B		\\x	\\x4859de698355d885cfc0e34af57d02e0d34110439a36ca9636c89feee352fe69	\\x00000001000000000000000115704622ee2558cd80df25b297e802ce
5	1800000000000	device:0557b7e6f58ed552b41fde9cae9a9dd1	device.activated	bank	main	4711	0557b7e6f58ed552b41fde9cae9a9dd1	YE0P9MMF6B	\\x0000001004020000000a59453050394d4d463642000000207a0899eae102ab86cc7dc66ffc2b03880fc735300df829992db80ba778e729c7000000202c165d7803187e56d38d242a01dcba6a164ad8b7254879acc5e3d4b4d83d490a000000160503000000100557b7e6f58ed552b41fde9cae9a9dd10000000000000020c062c4be8363489842bbb0e8b20a021ff40d32c72c9dee76375fee70bd0764560000001f0603000000100557b7e6f58ed552b41fde9cae9a9dd10100000000000000010000000000000020b8c89c35a1e2d534788cf5047360158fc19ccb26a5a49fe02a72c023aab8f5070000001f0603000000100557b7e6f58ed552b41fde9cae9a9dd101000000000000000200000000000000209ae9750fef38e999d4b8701ffbcd92bbd99f1baad99e618af05d446b2d93e77b	\\xf8625b4a97d0953a8141aa0b565dbddc5a7457b17bc0b62af4b81e8b5b529d3d	\\x00000001000000000000000169c30a82e3a0a96bb996f9daa113ac65
6	1800000000000	token:core	device.token-added	bank	main	4711	01a3185c5000a716cf17ae9557d8b587	A-1	\\x0000001605030000001001a3185c5000a716cf17ae9557d8b5870000000000000020b86ff05a71415f26e54cbbba03446c7f405b21f83edcc1ac99edce12642a892f0000001f06030000001001a3185c5000a716cf17ae9557d8b58701000000000000000200000000000000202255f347d133173ff25e008cbca4c4acd59bcdf0cc1860da3e39aec2fb3d97d1	\\x56f0d8b344ea86a201372e81d48aaceb139712de6f6af3a17ce85f35d7b60b2b	\\x000000010000000000000001f8c45f9f86f7095db29d36f7ac86e3bf
7	1800000000000	token:core	credential.code-accepted	bank	main	4711	3e4412c669af2b2567f596164a728561		\\x0000001f06030000001001a3185c5000a716cf17ae9557d8b587010000000000000002000000202255f347d133173ff25e008cbca4c4acd59bcdf0cc1860da3e39aec2fb3d97d1000000202c51e24e9d112382d5dcd79ca0f85e092773dc820928262e8f4f9c26d239137d0000002f0e020000000462616e6b020000002037663939333135613838626262643237316235313936313861333330323339330000000000000020ec9168388172da47af8cd4db36528fe69a5cc76d4922e32e726a072c3131ebeb	\\x521188df69594dc04f467091f6d9150653e5fdc6b7b1c4a8d1cc244940fc665c	\\x0000000100000000000000016077d773017161cbbfbf5bef30d5a63a
8	1800000000000	token:core	transaction.created	bank	main	4711	01a3185c5000bb5fecee25d926ce99cf	notified	\\x0000002608020000002030316133313835633530303062623566656365653235643932366365393963660000000000000020389a610f84f7b53870ba2f5caa9a96771148d4653cb6a7f2a5d07dd53869c5dc	\\xdf7aa5733aac2dea5074fff3fc5a307d3d6c8b0d591a53bdf5076ad17790971f	\\x00000001000000000000000191e1bb80bb1c33da73bdee262efc86ae
9	1800000000000	device:0557b7e6f58ed552b41fde9cae9a9dd1	transaction.approved	bank	main	4711	01a3185c5000bb5fecee25d926ce99cf	userPIN	\\x000000260902000000203031613331383563353030306262356665636565323564393236636539396366000000200831122728aa1f21ad9a5312d3a7d32d277d2db292558fda46074f9db8240267000000203e25f74797a322021aea58046ee23ad3e64690dd09fefdbbad543c5ccec280bf0000001f0603000000100557b7e6f58ed552b41fde9cae9a9dd101000000000000000100000020b8c89c35a1e2d534788cf5047360158fc19ccb26a5a49fe02a72c023aab8f50700000020e8727fb6b21cf73277496257bef205ce944c49f89f770f99c08ce48468058fca0000002b0b03000000100557b7e6f58ed552b41fde9cae9a9dd103000000105cec9cc6eadf7e8279ca98ae4405b09a0000000000000020039acef5aa5f943b4d31c54fd029f0fc0611a139fb78cda765911aa7040b98d2	\\xa4ca2c481c91f41596148c28026f23ca9afd7845319783670d749fc5c7e66906	\\x000000010000000000000001079292340c0f9c8ca995b7a0cc7b2876
10	1800000000000	token:core	transaction.created	bank	main	4711	01a3185c5000109013b2c6de741b9919	notified	\\x0000002608020000002030316133313835633530303031303930313362326336646537343162393931390000000000000020dd4b7b8c316ca8f397122a9cf307f432e7102546dbd2fe111eb8a4998b3bf179	\\x9064e8db2f8a3bea051e69c1794086ed0f042332eea85d82a9d4e3fa6943dfe8	\\x00000001000000000000000165f293f56f2f09a006f9a224beb0a7f6
11	1800000000000	device:0557b7e6f58ed552b41fde9cae9a9dd1	transaction.rejected	bank	main	4711	01a3185c5000109013b2c6de741b9919	notMe	\\x000000260902000000203031613331383563353030303130393031336232633664653734316239393139000000200831122728aa1f21ad9a5312d3a7d32d277d2db292558fda46074f9db8240267000000206d43c8eb0aa8de063262721b64cf0aaaa5c0aa4c4bc6aae3d22cb930be1cac100000001c03020000000462616e6b02000000046d61696e02000000043437313100000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b8111900000020f6ce95984293f911a8e66b5d77fa644456dacc80bdd5e7b8064ff12446560d0c	\\xd29e74c65f328741916c44cd1fb78851fc6dd23ae42bdd14c0639fd6b8b547b4	\\x0000000100000000000000012804ee3673dee6b833f1d682b806d88a
12	1800000000000	device:0557b7e6f58ed552b41fde9cae9a9dd1	transaction.denied-by-person	bank	main	4711	01a3185c5000109013b2c6de741b9919		\\x0000001f0603000000100557b7e6f58ed552b41fde9cae9a9dd1010000000000000002000000209ae9750fef38e999d4b8701ffbcd92bbd99f1baad99e618af05d446b2d93e77b00000020305b0ad540ea940f173bf63860cf1e50713cf5cdd15e195e2907e6d302d4498a0000002b0b03000000100557b7e6f58ed552b41fde9cae9a9dd10300000010c729c1313fac129d346f037a3359c0f200000000000000205e6d9545ebd4a57f6db7b471dc5df35ea997358addb6f7909be3fa10ed6f2fcb	\\x3af3c7356e9fcfd5ab659bfd0750ef408c839ba7c488c7f23b5feef3c6b3df36	\\x000000010000000000000001df2fa962e801ff4aef139eb4bface174
13	1800000000000	token:core	account.created	bank	main	4712	main/4712		\\x0000001c03020000000462616e6b02000000046d61696e0200000004343731320000000000000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b81119	\\x4e9ce5116a6ec5c7c2919950bf3ce9915277dc7988ae31d7bd8c6dabcf70f746	\\x00000001000000000000000175238688dbc6eaf4e978d636150f32e9
14	1800000000000	token:core	account.linked	bank	main	4711	main/4712		\\x0000001c03020000000462616e6b02000000046d61696e02000000043437313100000020f6ce95984293f911a8e66b5d77fa644456dacc80bdd5e7b8064ff12446560d0c0000002092a8e3b4e8ae55469e7eaa0b7be8e608c77cb70e7a5c0a1cb91029af40f311b30000001c03020000000462616e6b02000000046d61696e02000000043437313200000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b811190000002082c8d1317583a0230c8c998541ef42baffa857ada040f340e7d3e5a75bc83c87	\\x56e87c5a6a6391aef7d109521006074769fd87deb9790cbf77fa6ea675a2a222	\\x0000000100000000000000012795d8d05c1b98ebf80ac331f0712cb8
15	1800000000000	token:core	activation.issued	bank	main	4712	CJZ1V9M64K		\\x0000001004020000000a434a5a3156394d36344b000000000000002050bb71632e6aed3813108801f4cce47f350feb149d6faccb3399ef16c04009b6	\\x1c8b685d86f78076f7775cd9b07ee22373f50d2d921f8ca1ac7874e5cd8f72f9	\\x0000000100000000000000011984b5856ec28f92397d1e423a5f8f16
16	1800000000000	verifier	activation.claimed	bank	main	4712	CJZ1V9M64K		\\x	\\xf68b1ec831affadfb47b04b18c6b6c8d1c36fda020eeef2d2e1ab424dbe406f1	\\x000000010000000000000001919f519fda6e42a2b42b0a820c429c4a
17	1800000000000	device:f8b2102b0e97c8d3d406cc4e3ef5320b	device.activated	bank	main	4712	f8b2102b0e97c8d3d406cc4e3ef5320b	CJZ1V9M64K	\\x0000001004020000000a434a5a3156394d36344b0000002050bb71632e6aed3813108801f4cce47f350feb149d6faccb3399ef16c04009b600000020cc8d0c2305410560c547d0a1e3ddafc05d68bda65412a5a4575f63f263aa273700000016050300000010f8b2102b0e97c8d3d406cc4e3ef5320b0000000000000020e741b80d013d33a7e9a129d6fe6156396573f747790eac3415051fd923fb008b0000001f060300000010f8b2102b0e97c8d3d406cc4e3ef5320b01000000000000000100000000000000204343e6d92b23f3203c79164a352dd1c0d89ca9f2bd0cef7e68bbf43cdf09dd920000001f060300000010f8b2102b0e97c8d3d406cc4e3ef5320b0100000000000000020000000000000020e9b4f0f6ca7cfc1172ec595a8311522987e12f8c08d308eb69bdef7480bc68bd	\\x8ddffb1817e295156d2836dbb71495b3c77f8c669d4f15c4e35791c3c6cb4b88	\\x000000010000000000000001809d254aeea976e9c041f22dddaaaf1a
18	1800000000000	device:f8b2102b0e97c8d3d406cc4e3ef5320b	device.activated	bank	main	4711	305bd11f30268a1498df196c6502eb26	CJZ1V9M64K	\\x00000016050300000010305bd11f30268a1498df196c6502eb260000000000000020c86893097a2f1d8d1dc084deafb2f2f04f0f8a46cea9abf97695461fefadec8e0000001f060300000010305bd11f30268a1498df196c6502eb2601000000000000000100000000000000208708e6df4d2175a17e88fe7fb018e0f330d6340930a8a7c23d0f4ce3ade974fa0000001f060300000010305bd11f30268a1498df196c6502eb260100000000000000020000000000000020852067b51601506b62d0cba7ca2ead0140729f6b5f9697ec11b9b7513e669ffa	\\xaf3302aa22e5fb87fbcdc0899fcf53b5b4ae106b6685400bb71151176f2c3971	\\x0000000100000000000000010177673aaa70ea6b84e140e1fae069e5
19	1800000000000	token:core	account.created	bank	main	4714	main/4714		\\x0000001c03020000000462616e6b02000000046d61696e0200000004343731340000000000000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b81119	\\x03059bae082b8a42d636446c331311ac0fcd83055bc3384bda03c0a88b1689f3	\\x00000001000000000000000140d26b34eebcc3271f49026767b3adfa
20	1800000000000	token:core	activation.issued	bank	main	4714	YVRY7TSKWY		\\x0000001004020000000a595652593754534b575900000000000000201e66d9a48168c768afc67798b1e8017359b6fbb328f71be488b6fc221356ebd4	\\x7acbfb98c8e51994637dbcfc49eda9a10a78ce374faaf684f0af8df9824774bf	\\x0000000100000000000000010372d302a732ca5dd4fd88dba220c82c
21	1800000000000	verifier	activation.claimed	bank	main	4714	YVRY7TSKWY		\\x	\\xf8764e18c5dc108663e53ba45fc37173b7a776b9abacaa30f304847610ac4f1c	\\x00000001000000000000000173e2a1c2fd0926b9af5688dcdd096988
22	1800000000000	device:3f518f10e0aac26cd5bd08f574721ec7	device.activated	bank	main	4714	3f518f10e0aac26cd5bd08f574721ec7	YVRY7TSKWY	\\x0000001004020000000a595652593754534b5759000000201e66d9a48168c768afc67798b1e8017359b6fbb328f71be488b6fc221356ebd4000000202b8b8df1e67f17d9b6742f0ebf810522131dca58f70b67867231cd62bc8e229f000000160503000000103f518f10e0aac26cd5bd08f574721ec7000000000000002072dcd7ea11a63cdb09e51047334a8f3937ad4596227369bb39dd4e8c1030ce850000001f0603000000103f518f10e0aac26cd5bd08f574721ec70100000000000000010000000000000020dbf4482eaac24c2330a00edf214e2b6d3d5df6c4550e8d8d010623b7508416e80000001f0603000000103f518f10e0aac26cd5bd08f574721ec70100000000000000020000000000000020af0a705362163e2db8c7631fa02f1f84624c0123f9c15eca68eb40caa7c56484	\\xe2f9fa18187fad4240b2a3d425ce8a80dedebaf62c4f604c34eab119e6704140	\\x0000000100000000000000015b3b676864f0fa1d92edce5b6067a979
23	1800000000000	token:core	account.created	bank	main	4715	main/4715		\\x0000001c03020000000462616e6b02000000046d61696e0200000004343731350000000000000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b81119000000160503000000103f518f10e0aac26cd5bd08f574721ec70000002072dcd7ea11a63cdb09e51047334a8f3937ad4596227369bb39dd4e8c1030ce8500000020ed5e1e98289a05acb22d61bb9ca76fa7abdd23c5a48c2c0aa27a035f039e88b80000001f0603000000103f518f10e0aac26cd5bd08f574721ec701000000000000000100000020dbf4482eaac24c2330a00edf214e2b6d3d5df6c4550e8d8d010623b7508416e800000020dbf4482eaac24c2330a00edf214e2b6d3d5df6c4550e8d8d010623b7508416e8	\\x1e373e326a85aa29890777af7a64b18118b5c37e3ec78ced35ec0db567463705	\\x00000001000000000000000171885178d6c1178e3031d24837dc1ded
24	1800000000000	token:core	account.replaced	bank	main	4714	main/4715		\\x0000001f0603000000103f518f10e0aac26cd5bd08f574721ec701000000000000000200000020af0a705362163e2db8c7631fa02f1f84624c0123f9c15eca68eb40caa7c5648400000020af0a705362163e2db8c7631fa02f1f84624c0123f9c15eca68eb40caa7c564840000001c03020000000462616e6b02000000046d61696e02000000043437313400000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b8111900000020696aea2db0b5fd3ff121430ba14fcb8f5611ef51f3be78041fa73d4787369a42	\\x7616d85fc04714999c2d9b6e1a83b077322f4e8cfc375d1f629d12f14ceb06a4	\\x000000010000000000000001ddeedafa4fa1ae317b16eae493401cd0
25	1800000000000	device:3f518f10e0aac26cd5bd08f574721ec7	credential.rekeyed	bank	main	4715	b6fe369b37ff424c56ecd73b2edc82db	1	\\x0000001f0603000000103f518f10e0aac26cd5bd08f574721ec701000000000000000100000020dbf4482eaac24c2330a00edf214e2b6d3d5df6c4550e8d8d010623b7508416e800000020da0fadc733c98b10e9acd6fa2b5b5dddb02df6614865eda4c5ea143bb1e73c7e0000002b0b03000000103f518f10e0aac26cd5bd08f574721ec70300000010d9e8cda4e94bf18146497eddb8dba308000000000000002037d4bb9ac487be664866964027ac5c5b04641361d8d7ca89bb946cf17ed87551	\\x0abbe423df7706485154a6006d835cd5ed1fe1a1eb691b524b799e05e63e37c4	\\x000000010000000000000001cc7ace13857ae25991f956b0a3ed9c06
26	1800691200000	device:0557b7e6f58ed552b41fde9cae9a9dd1	credential.code-refused	bank	main	4711	0f90c03c8dfaefe144e0c7317c7c5c24		\\x0000001f0703000000100557b7e6f58ed552b41fde9cae9a9dd1010000000000000001000000208fe73c51adc7fe99c2f9b7d4a3d7d3e60242dc69cda6dd9c40209f6854308c6c0000002025e141d81e5505ce69182b7d6d9e97ab45d4641b8c8417802c5b57cf9cfd86120000002b0b03000000100557b7e6f58ed552b41fde9cae9a9dd103000000105986def03c58b080cb2466ef1a8c9c290000000000000020c865401bab601afe094c554167612dc2aecb4d2877738973c7e278659bf21012	\\xbf797a86996d4ac80662ba053a728e32386a5549da20ec3f76eecf1dc6475b60	\\x000000010000000000000001361c1d02003e7c9538782b3f547a0995
27	1800691200000	device:0557b7e6f58ed552b41fde9cae9a9dd1	credential.code-accepted	bank	main	4711	0f90c03c8dfaefe144e0c7317c7c5c24	login	\\x000000260a020000002030316133343138663330303063303238396430336663666632356531373233630000000000000020aef17f979c90280ab642f389ec16ddc4ba60492a2d6f5c67faded3e480e162580000001f0603000000100557b7e6f58ed552b41fde9cae9a9dd101000000000000000100000020e8727fb6b21cf73277496257bef205ce944c49f89f770f99c08ce48468058fca00000020253528c3f886b23f744a839acd13e9711c9fd268598d6a1cb8ff352201b00d420000001f0703000000100557b7e6f58ed552b41fde9cae9a9dd10100000000000000010000002025e141d81e5505ce69182b7d6d9e97ab45d4641b8c8417802c5b57cf9cfd86120000002026d113af9b4db7aef3d9fee16c7b1877f33e963d18c6dd1acd9fe7aa3bd6453e0000002b0b03000000100557b7e6f58ed552b41fde9cae9a9dd103000000100dc35fc9067f23b84afabb922d8678e80000000000000020fb7901a6514a300c4daf4dce45dc4615bf6f9246d1f1760926b59b2f2d0ee8b0	\\x38eb67dc0ef0e3dfe3e12428c2be09be3fe680cbc099638f5e37910c4dd03530	\\x0000000100000000000000018bbf5f53b99aa04fdc57ded656f473cd
28	1800691200000	token:core	activation.issued	bank	main	4712	0HCPJHGXDH		\\x0000001004020000000a304843504a484758444800000000000000203e48fbfc184401809e2849a463ed9353aff2532cfbc83771c21bdc4b5fa8ccb6	\\x18d7339434e46a63cb7ecfd75dd8f9c38e7920dd60091c45231d4c6ef015dd70	\\x0000000100000000000000019eeb0425360be55dba34b51942905313
29	1800691200000	token:core	transaction.created	bank	main	4711	01a3418f30008c00d899823599b19a8e	notified	\\x00000026080200000020303161333431386633303030386330306438393938323335393962313961386500000000000000209ac6cd740523a288156a571dc3dfef1aae22f68cc28209b7018e4c72991cd1ac	\\x020098afa1b9b5a2647291e37ada8520721cf9bf82b5bc3f671b0dbb61bc20fc	\\x000000010000000000000001d5bed1dcd778d50f4a5104ff266285fe
\.


--
-- Data for Name: bank_calls; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.bank_calls (enterprise, idempotency_key, created, fingerprint, outcome, tag) FROM stdin;
\.


--
-- Data for Name: bank_tokens; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.bank_tokens (id, secret_digest, name, enterprise, role, created, expiry, revoked, tag) FROM stdin;
\.


--
-- Data for Name: countersign_commits; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.countersign_commits (writer, place, number) FROM stdin;
\.


--
-- Data for Name: countersign_store; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.countersign_store (id, version) FROM stdin;
1	7
\.


--
-- Data for Name: credentials; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.credentials (device, kind, id, generation, counter, status, confirmed_epoch, seed, copy_detected, counting_device, consecutive_failures, consecutive_locks, locked_until, blocked, failure_times, tag, failures_tag) FROM stdin;
\\x01a3185c5000a716cf17ae9557d8b587	2	\\x3e4412c669af2b2567f596164a728561	0	4	1	0	\\x010000000151425ff9b580c4dbf43e8c8a926fec2e1e937d72b95777aa0c99c054c8bb0e0a510d8c93584ad685e74866cb76844b31	0	\N	0	0	\N	0	\\x	\\x0000000100000000000000027eabf3e79f3397f7403d18bd59cdfa8d	\\x00000001000000000000000141e30f6104063c3e6eb8cf695072c816
\\x0557b7e6f58ed552b41fde9cae9a9dd1	2	\\x69238eb32ae1c2ed97bd19118918e786	0	1	1	0	\\x0100000001b019fc6566e796b4f6b217ade5c247f5179c4f1dc885ae4e7d8cb8c7551b9a8e7f035d3970acbca17ba12919db89b01c979b71ed161c3ff82773d655	0	\N	0	0	\N	0	\\x	\\x00000001000000000000000276056d229695f0d60e6ac028ac72156d	\\x000000010000000000000001a6c729a1d234f8913dad791dc1be1a13
\\xf8b2102b0e97c8d3d406cc4e3ef5320b	1	\\xc903ed87015793bf27e92455cd3c8fca	0	0	1	0	\\x01000000019d5d94f7dd310980e639e7fce14836ce2b29651d1128601497cf023bea5f89fa8a231c84b4559adb54bd034fa3c616e1cb52ccc9b3f39b12d248cc83	0	\N	0	0	\N	0	\\x	\\x000000010000000000000001e752a7e6162cb6375c1218c1d34f6065	\\x000000010000000000000001856ea8b409f1c88b1a03928a9017ad95
\\xf8b2102b0e97c8d3d406cc4e3ef5320b	2	\\x9b6f1da8d67c82edc0d7845b7946c52a	0	0	1	0	\\x0100000001aa8bd24131b62616c20c6a2406ce1987ec86d64cfea4260176b240aff1aa72dbf7a3e5e22350211559fbbc7aa553bd1d3682f5cd42812dc7d43151e1	0	\N	0	0	\N	0	\\x	\\x000000010000000000000001bf0bc933c9c652738cd5376dc4e18b39	\\x00000001000000000000000187d3d7796e0ce04397c218322e071e21
\\x305bd11f30268a1498df196c6502eb26	1	\\xa6813650ef0672476184223d1255968c	0	0	1	0	\\x0100000001fa470c7db64eeb1a0de77e35a547908db640e08f8c29cabb345ffe077aca1ce462a135ef7937a7af8e6790db1a05dfdcd03e7a83a971e782371304a1	0	\\xf8b2102b0e97c8d3d406cc4e3ef5320b	0	0	\N	0	\\x	\\x00000001000000000000000177f118b4d7cd74a3e342d8d011a6fa15	\\x000000010000000000000001b29217288c01fa823415fd27afe8c823
\\x305bd11f30268a1498df196c6502eb26	2	\\x7a43adc81d441c33e015a380ba3b8a67	0	0	1	0	\\x0100000001be826a33bf9ac94bf371df2a8b6c92a92f4499012d5b68f0ad0c7f6f254bcf377b6c49f9378b3f22b5950c12126619e656d9c7250fac04da2ff5070f	0	\N	0	0	\N	0	\\x	\\x000000010000000000000001feb7657783e6b880f42006c6c7769795	\\x00000001000000000000000183366eddb3b17bf3d849fe069cad361a
\\x3f518f10e0aac26cd5bd08f574721ec7	2	\\xdb4307497817fbf14f868098e6271b0b	0	0	1	0	\\x0100000001b8e794f3bf019c70cdc8343dd02d0bd4762c36af514d90959d4fa912680cfb36a1d4fba18a98285db3c684cfa026ab61d6ba70fe54d75e2a8f70efd6	0	\N	0	0	\N	0	\\x	\\x000000010000000000000001d907ef34836454f89785eea8ae7aeaa0	\\x0000000100000000000000019d2897e6eb4c62eb54afe42c2269f03d
\\x3f518f10e0aac26cd5bd08f574721ec7	1	\\xb6fe369b37ff424c56ecd73b2edc82db	1	1	1	0	\\x010000000123f3670f301bc12661053834fa3f8103ce3406f338c2365a0e89d1719e96dbdd13405e4da7c86871670d0af55de9f53384acb4ee3257fcccfe143c7b	0	\N	0	0	\N	0	\\x	\\x000000010000000000000002df5d4675be38d64a2891c8c34f8c8ed0	\\x000000010000000000000001736b73d5da845f6a25737f30377fe945
\\x0557b7e6f58ed552b41fde9cae9a9dd1	1	\\x0f90c03c8dfaefe144e0c7317c7c5c24	0	2	1	0	\\x0100000001fde01e504ba07ab4b5f9e5ea2607458289cc01a2ffb1a479660c981e32aa98012f83e557da13c86496fcc65a032d9dc967d87bcbfeaa47b7541bad93	0	\N	0	0	\N	0	\\x000001a3418f3000	\\x0000000100000000000000037b041408f6e6112ca075acccf891458e	\\x00000001000000000000000381431cf69440603b5110ce276f40d74f
\.


--
-- Data for Name: devices; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.devices (id, enterprise, account_type, account_id, public_key, token_suite, name, status, activated, notifications, tag, notifications_tag) FROM stdin;
\\x0557b7e6f58ed552b41fde9cae9a9dd1	bank	main	4711	\\x045e6d2720038ab98cb64c1917afd053e14d9d8cfa09db6bcd6adb9403b29190bf0c8d9f3ac260fdaec79cf29e9927b4189bc34c0a79bd32e15bedca42a44a0860	\N	Phone	1	1800000000000		\\x000000010000000000000001f2f72b1c56b81bb0f28f0593c4a953b3	\\x00000001000000000000000131e4fe59527ee798eab1271b24bd4550
\\x01a3185c5000a716cf17ae9557d8b587	bank	main	4711	\N	HOTP-SHA1-6	A-1	1	1800000000000		\\x0000000100000000000000016894c51d801427229bde1ea5aa85d25a	\\x000000010000000000000001529294aa9bfa1da07acbb3b5ebeade04
\\xf8b2102b0e97c8d3d406cc4e3ef5320b	bank	main	4712	\\x04a9b129b10190fb36bfadbff1a00e6bc0cbe8dd8bb67ceb442cf6d3563ca7e6be750ed05e215ed14a7f69adb94ba2e549a74fddba2ec377f839e7f10fdf9a9a29	\N	Phone	1	1800000000000		\\x00000001000000000000000118104ed7dacf96b192e144be1d96c969	\\x00000001000000000000000136d25ba7580a8cb9c5ce58a60e79844c
\\x305bd11f30268a1498df196c6502eb26	bank	main	4711	\\x0488966f45f9a07edcfb3a71c19129828a0d300d1b486410d5b8cfb7268d54eab03b0d499745cdffbf8e9923cdda345895319294ecab2834f5f191b6a5dfc13686	\N	Phone	1	1800000000000		\\x0000000100000000000000017e99c5a78f2b5432f2a0aa7fc0984a80	\\x000000010000000000000001b4247d4ef7554f49a2487ac82025f2a4
\\x3f518f10e0aac26cd5bd08f574721ec7	bank	main	4715	\\x0470718f0f4e6415d1d1c2b7bc0e783f30e49d7fc96bc8268c8eb53fe51b018ed0bc52192a2e048658f0bfd5fdcb33561cca6dc88ef18456ec78c0fe6380c31b9a	\N	Phone	1	1800000000000		\\x000000010000000000000002fd7e2a2183feabcb8b166e910ebc32df	\\x000000010000000000000001aa596978d48e8fd3983c017e36f8dd21
\.


--
-- Data for Name: enterprises; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.enterprises (id, policy, policy_version, tag) FROM stdin;
bank	{"minimumTokenDigits": 6}	1	\\x0000000100000000000000016729c31a602ff29dd5309c49a597f089
\.


--
-- Data for Name: imports; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.imports (name, line, digest, accounts, tokens, rejected) FROM stdin;
\.


--
-- Data for Name: logins; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.logins (id, enterprise, account_type, account_id, device, type, data_digest, granted, redeemed, tag) FROM stdin;
01a3418f3000c0289d03fcff25e1723c	bank	main	4711	\\x0557b7e6f58ed552b41fde9cae9a9dd1	userPIN	\\x0707070707070707070707070707070707070707070707070707070707070707	1800691200000	\N	\\x000000010000000000000001ee349ab54cd5abd8868055b0205e055c
\.


--
-- Data for Name: outbox; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.outbox (sequence, target, device, enterprise, account_type, account_id, subject, tries, started, due, state) FROM stdin;
5	1	\\x	bank	main	4711	0557b7e6f58ed552b41fde9cae9a9dd1	0	1800000000000	1800000000000	0
9	1	\\x	bank	main	4711	01a3185c5000bb5fecee25d926ce99cf	0	1800000000000	\N	0
11	1	\\x	bank	main	4711	01a3185c5000109013b2c6de741b9919	0	1800000000000	\N	0
12	1	\\x	bank	main	4711	01a3185c5000109013b2c6de741b9919	0	1800000000000	\N	0
17	1	\\x	bank	main	4712	f8b2102b0e97c8d3d406cc4e3ef5320b	0	1800000000000	1800000000000	0
18	1	\\x	bank	main	4711	305bd11f30268a1498df196c6502eb26	0	1800000000000	\N	0
22	1	\\x	bank	main	4714	3f518f10e0aac26cd5bd08f574721ec7	0	1800000000000	1800000000000	0
25	1	\\x	bank	main	4715	b6fe369b37ff424c56ecd73b2edc82db	0	1800000000000	1800000000000	0
\.


--
-- Data for Name: rejected_rows; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.rejected_rows (import, line, reason) FROM stdin;
\.


--
-- Data for Name: transactions; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.transactions (id, enterprise, account_type, account_id, canonical_bytes, accepted_authentication, created, deadline, number, state, closed, device, detail, evidence, tag) FROM stdin;
01a3418f30008c00d899823599b19a8e	bank	main	4711	\\x4353545801010000000462616e6b0200000020303161333431386633303030386330306438393938323335393962313961386503000000046d61696e04000000043437313105000000010106000000085472616e73666572070000000100080000000d014555520200000000000012670900000025010000000647726f63657200000016444538393337303430303434303533323031333030300a000000000b000000000c00000001020d00000008000001a3418f30000e00000008000001a3419104c00f0000000800000000000000001000000010c108e26ee15854e45b7a2e5bc7b13e97	2	1800691200000	1800691320000	\N	0	\N	\N	\N	\N	\\x000000010000000000000001e2da7d3c4b5f59225013a40a790e6416
\.


--
-- Data for Name: verifier; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.verifier (id, store_id, epoch, audit_sequence, audit_moment, audit_hash, fingerprint_key, minimum_key_version, is_backup, tag) FROM stdin;
1	\\x4c9201b6cc10cc3438642669c28dd8dc	0	29	1800691200000	\\x020098afa1b9b5a2647291e37ada8520721cf9bf82b5bc3f671b0dbb61bc20fc	\\x0100000001d6ef0d22f4b247f30430507eb7fb6085e638fc60efe7edd46f308c549c001298cbdd82f966fb50ccae7642c04fa4df3d964878cf7413dd224e89768b	0	0	\\x00000001000000000000001bdba32e3fcf151f10dca9d9d4c7fcb917
\.


--
-- Name: accounts accounts_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (enterprise, type, id);


--
-- Name: activations activations_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.activations
    ADD CONSTRAINT activations_pkey PRIMARY KEY (id);


--
-- Name: archived_transactions archived_transactions_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.archived_transactions
    ADD CONSTRAINT archived_transactions_pkey PRIMARY KEY (id);


--
-- Name: attempts attempts_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (device, id);


--
-- Name: audit audit_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (sequence);


--
-- Name: bank_calls bank_calls_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.bank_calls
    ADD CONSTRAINT bank_calls_pkey PRIMARY KEY (enterprise, idempotency_key);


--
-- Name: bank_tokens bank_tokens_name_key; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.bank_tokens
    ADD CONSTRAINT bank_tokens_name_key UNIQUE (name);


--
-- Name: bank_tokens bank_tokens_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.bank_tokens
    ADD CONSTRAINT bank_tokens_pkey PRIMARY KEY (id);


--
-- Name: countersign_commits countersign_commits_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.countersign_commits
    ADD CONSTRAINT countersign_commits_pkey PRIMARY KEY (writer);


--
-- Name: countersign_store countersign_store_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.countersign_store
    ADD CONSTRAINT countersign_store_pkey PRIMARY KEY (id);


--
-- Name: credentials credentials_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.credentials
    ADD CONSTRAINT credentials_pkey PRIMARY KEY (device, kind);


--
-- Name: devices devices_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.devices
    ADD CONSTRAINT devices_pkey PRIMARY KEY (id);


--
-- Name: enterprises enterprises_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.enterprises
    ADD CONSTRAINT enterprises_pkey PRIMARY KEY (id);


--
-- Name: imports imports_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.imports
    ADD CONSTRAINT imports_pkey PRIMARY KEY (name);


--
-- Name: logins logins_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.logins
    ADD CONSTRAINT logins_pkey PRIMARY KEY (id);


--
-- Name: outbox outbox_pkey1; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox_pkey1 PRIMARY KEY (sequence, target, device);


--
-- Name: rejected_rows rejected_rows_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.rejected_rows
    ADD CONSTRAINT rejected_rows_pkey PRIMARY KEY (import, line);


--
-- Name: transactions transactions_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.transactions
    ADD CONSTRAINT transactions_pkey PRIMARY KEY (id);


--
-- Name: verifier verifier_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.verifier
    ADD CONSTRAINT verifier_pkey PRIMARY KEY (id);


--
-- Name: accounts_of_person; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX accounts_of_person ON public.accounts USING btree (enterprise, person) WHERE (person IS NOT NULL);


--
-- Name: activations_closed; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX activations_closed ON public.activations USING btree (closed) WHERE (closed IS NOT NULL);


--
-- Name: activations_of_account; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX activations_of_account ON public.activations USING btree (enterprise, account_type, account_id);


--
-- Name: activations_open; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX activations_open ON public.activations USING btree (deadline) WHERE (closed IS NULL);


--
-- Name: archived_transactions_of_account; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX archived_transactions_of_account ON public.archived_transactions USING btree (enterprise, account_type, account_id, created);


--
-- Name: attempts_made; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX attempts_made ON public.attempts USING btree (created);


--
-- Name: bank_calls_made; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX bank_calls_made ON public.bank_calls USING btree (created);


--
-- Name: credentials_counted_with; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX credentials_counted_with ON public.credentials USING btree (counting_device) WHERE (counting_device IS NOT NULL);


--
-- Name: devices_of_account; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX devices_of_account ON public.devices USING btree (enterprise, account_type, account_id);


--
-- Name: devices_revoked_tokens; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX devices_revoked_tokens ON public.devices USING btree (enterprise, name) WHERE ((token_suite IS NOT NULL) AND (status = 3));


--
-- Name: devices_tokens; Type: INDEX; Schema: public; Owner: bank
--

CREATE UNIQUE INDEX devices_tokens ON public.devices USING btree (enterprise, name) WHERE ((token_suite IS NOT NULL) AND (status <> 3));


--
-- Name: logins_granted; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX logins_granted ON public.logins USING btree (granted);


--
-- Name: outbox_dead; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX outbox_dead ON public.outbox USING btree (enterprise, sequence) WHERE (state = 2);


--
-- Name: outbox_delivered; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX outbox_delivered ON public.outbox USING btree (due) WHERE (state = 1);


--
-- Name: outbox_due; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX outbox_due ON public.outbox USING btree (target, due) WHERE ((state = 0) AND (due IS NOT NULL));


--
-- Name: outbox_of_account; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX outbox_of_account ON public.outbox USING btree (enterprise, account_type, account_id, target, sequence) WHERE (state = 0);


--
-- Name: transactions_closed; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX transactions_closed ON public.transactions USING btree (closed) WHERE (closed IS NOT NULL);


--
-- Name: transactions_of_account; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX transactions_of_account ON public.transactions USING btree (enterprise, account_type, account_id, created);


--
-- Name: transactions_pending; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX transactions_pending ON public.transactions USING btree (deadline) WHERE (closed IS NULL);


--
-- Name: accounts accounts_enterprise_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_enterprise_fkey FOREIGN KEY (enterprise) REFERENCES public.enterprises(id);


--
-- Name: activations activations_enterprise_account_type_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.activations
    ADD CONSTRAINT activations_enterprise_account_type_account_id_fkey FOREIGN KEY (enterprise, account_type, account_id) REFERENCES public.accounts(enterprise, type, id);


--
-- Name: bank_tokens bank_tokens_enterprise_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.bank_tokens
    ADD CONSTRAINT bank_tokens_enterprise_fkey FOREIGN KEY (enterprise) REFERENCES public.enterprises(id);


--
-- Name: credentials credentials_device_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.credentials
    ADD CONSTRAINT credentials_device_fkey FOREIGN KEY (device) REFERENCES public.devices(id);


--
-- Name: devices devices_enterprise_account_type_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.devices
    ADD CONSTRAINT devices_enterprise_account_type_account_id_fkey FOREIGN KEY (enterprise, account_type, account_id) REFERENCES public.accounts(enterprise, type, id);


--
-- Name: rejected_rows rejected_rows_import_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.rejected_rows
    ADD CONSTRAINT rejected_rows_import_fkey FOREIGN KEY (import) REFERENCES public.imports(name);


--
-- Name: transactions transactions_enterprise_account_type_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.transactions
    ADD CONSTRAINT transactions_enterprise_account_type_account_id_fkey FOREIGN KEY (enterprise, account_type, account_id) REFERENCES public.accounts(enterprise, type, id);


--
-- PostgreSQL database dump complete
--

\unrestrict WrVfucG8CBWdRvqTbh94aDTLcmMX6XyRuf4uhYBMdeUodmQyb3gTHiLBtT8ScjM

