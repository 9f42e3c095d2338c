--
-- PostgreSQL database dump
--

\restrict VZU5ln5cCVUyelj3LT3mXsbrpA83JnLkP2sjxfyUcFBHLDFamdwhU3JRCO5Skbw

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
    replaced_by_id text
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
    failures bytea NOT NULL
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
    evidence bytea
);


ALTER TABLE public.archived_transactions OWNER TO bank;

--
-- Name: attempts; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.attempts (
    device bytea NOT NULL,
    id bytea NOT NULL,
    made bigint NOT NULL,
    fingerprint bytea NOT NULL,
    verdict text NOT NULL
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
    hash bytea NOT NULL
);


ALTER TABLE public.audit OWNER TO bank;

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
    standing bigint NOT NULL,
    confirmed_in bigint NOT NULL,
    seed bytea NOT NULL,
    copy_noticed bigint NOT NULL,
    counted_with bytea,
    failures_in_a_row bigint NOT NULL,
    locks_in_a_row bigint NOT NULL,
    locked_until bigint,
    blocked bigint NOT NULL,
    failures bytea NOT NULL,
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
    token text,
    name text NOT NULL,
    standing bigint NOT NULL,
    activated bigint NOT NULL,
    notifications text NOT NULL,
    CONSTRAINT devices_check CHECK (((public_key IS NULL) <> (token IS NULL)))
);


ALTER TABLE public.devices OWNER TO bank;

--
-- Name: enterprises; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.enterprises (
    id text NOT NULL,
    policy text NOT NULL,
    policy_version bigint NOT NULL
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
    redeemed bigint
);


ALTER TABLE public.logins OWNER TO bank;

--
-- Name: outbox; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.outbox (
    sequence bigint NOT NULL,
    target bigint NOT NULL,
    enterprise text NOT NULL,
    account_type text NOT NULL,
    account_id text NOT NULL,
    subject text NOT NULL,
    tries bigint NOT NULL,
    due bigint NOT NULL,
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
    evidence bytea
);


ALTER TABLE public.transactions OWNER TO bank;

--
-- Name: verifier; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.verifier (
    id bigint NOT NULL,
    store bytea NOT NULL,
    epoch bigint NOT NULL,
    audit_sequence bigint NOT NULL,
    audit_moment bigint NOT NULL,
    audit_hash bytea NOT NULL,
    fingerprint_key bytea,
    least_key_version bigint NOT NULL,
    is_copy bigint NOT NULL,
    CONSTRAINT verifier_audit_moment_check CHECK ((audit_moment >= 0)),
    CONSTRAINT verifier_audit_sequence_check CHECK ((audit_sequence >= 0)),
    CONSTRAINT verifier_epoch_check CHECK ((epoch >= 0)),
    CONSTRAINT verifier_id_check CHECK ((id = 1)),
    CONSTRAINT verifier_is_copy_check CHECK ((is_copy = ANY (ARRAY[(0)::bigint, (1)::bigint]))),
    CONSTRAINT verifier_least_key_version_check CHECK ((least_key_version >= 0))
);


ALTER TABLE public.verifier OWNER TO bank;

--
-- Data for Name: accounts; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.accounts (enterprise, type, id, person, muted_until, replaced_by_type, replaced_by_id) FROM stdin;
bank	main	4711	\\xc013b7488d6e85d2fd7f43414b4084f4	1800086400000	\N	\N
bank	main	4712	\\xc013b7488d6e85d2fd7f43414b4084f4	\N	\N	\N
bank	main	4715	\N	\N	\N	\N
bank	main	4714	\N	\N	main	4715
\.


--
-- Data for Name: activations; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.activations (id, enterprise, account_type, account_id, issued, deadline, state, closed, code, claim_digest, claim_offer, failures) FROM stdin;
TV0XV51DK6	bank	main	4711	1800000000000	1800086400000	1	1800000000000	\N	\N	\N	\\x
DPASS6TYYQ	bank	main	4712	1800000000000	1800086400000	1	1800000000000	\N	\N	\N	\\x
6BE4Z876J5	bank	main	4714	1800000000000	1800086400000	1	1800000000000	\N	\N	\N	\\x
ZW337R9PQ8	bank	main	4712	1800691200000	1800777600000	0	\N	\\x0100000001b53860d7a1916a12151dca3659d14123ac6f4644339f3fa6ea7ff13cdad7d7c7d8cb8970293e5388d57a6232d748364b5a0db0	\N	\N	\\x
\.


--
-- Data for Name: archived_transactions; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.archived_transactions (id, enterprise, account_type, account_id, canonical_bytes, accepted_authentication, created, deadline, state, closed, device, detail, evidence) FROM stdin;
01a3185c5000203f832df4de6f06514d	bank	main	4711	\\x4353545801010000000462616e6b0200000020303161333138356335303030323033663833326466346465366630363531346403000000046d61696e04000000043437313105000000010106000000085472616e73666572070000000100080000000d014555520200000000000012670900000025010000000647726f63657200000016444538393337303430303434303533323031333030300a000000000b000000000c00000001020d00000008000001a3185c50000e00000008000001a3185e24c00f00000008000000000000000010000000108e06ba138a17982f8979cae6fcc850ea	2	1800000000000	1800000120000	1	1800000000000	\\xdd984dce793fc606f88cf4867e2452ae	userPIN	\\xfd3513ab042865655f1ac06e9458715598f2586f3b9d9dad6b577690ad2fc0054e3b1137feb6b3006b2094d2bba9d20e536ecfe49409cc440732002c294b4f7b0000001f636f756e7465727369676e206465636973696f6e2d65766964656e63652031dd984dce793fc606f88cf4867e2452ae00000020670785823cf23dbbcb32aaf6407c47546d35e47d7f564090544fcacabba34490a50000000475736572000000000000000000000000000000000000000000000000
01a3185c500093dfe7cc39f5a2545ed1	bank	main	4711	\\x4353545801010000000462616e6b0200000020303161333138356335303030393364666537636333396635613235343565643103000000046d61696e04000000043437313105000000010106000000085472616e73666572070000000100080000000d014555520200000000000012670900000025010000000647726f63657200000016444538393337303430303434303533323031333030300a000000000b000000000c00000001020d00000008000001a3185c50000e00000008000001a3185e24c00f00000008000000000000000010000000100b2ee3aa92152ce1c2f27e8c03d9ead0	2	1800000000000	1800000120000	2	1800000000000	\\xdd984dce793fc606f88cf4867e2452ae	notMe	\\x56f54a048c0c0c1df5340b057b4b99da0381cbdb3c32f0bc3d3f6e9ea154785155711aeaa04dddea01c51a0c1cc91652f507945f00df9f428d94fc2c4739f9d30000001f636f756e7465727369676e206465636973696f6e2d65766964656e63652031dd984dce793fc606f88cf4867e2452ae00000020f517a2597adb437de46984fdaafa94cc29d22bad318f610813f3b85e0ded70785900000006646576696365000000000000000000000000000000000000000000000000
\.


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.attempts (device, id, made, fingerprint, verdict) FROM stdin;
\\xdd984dce793fc606f88cf4867e2452ae	\\x0553e6e3f7c4891e12558931454702cf	1800691200000	\\x16be9f44d09dcde00a7fdc1e90211c9c4d23a905f1b162b2256a1aac7610c058	wrong counted 4
\\xdd984dce793fc606f88cf4867e2452ae	\\xb05a1407d6c69b2808c511d84a1ae64e	1800691200000	\\x1158ba68ac1c80a57bd7646c138089b2ebe8ffc629f0367e961373d1638ab88e	accepted 01a3418f3000a8d7d770e5a81cccb207
\.


--
-- Data for Name: audit; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.audit (sequence, moment, actor, kind, enterprise, account_type, account_id, subject, detail, traces, hash) FROM stdin;
1	1800000000000	operator	enterprise.created	\N	\N	\N	bank		\\x0000000a02020000000462616e6b00000000000000205e935e79ff0390e01964d76081e35b982b57aec2070666ce17836d1ade68ebf1	\\x6c7ff001119f99017ec94c6bebcb0945d5a49362b10c0fcf925af505e6f6e203
2	1800000000000	operator	account.created	bank	main	4711	main/4711		\\x0000001c03020000000462616e6b02000000046d61696e0200000004343731310000000000000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b81119	\\x1030de1899a16b5e04b5b36ea70bf2ecf98d79eafc1145a3ef6d7efdca7ebe6e
3	1800000000000	token:core	activation.issued	bank	main	4711	TV0XV51DK6		\\x0000001004020000000a54563058563531444b3600000000000000207a0899eae102ab86cc7dc66ffc2b03880fc735300df829992db80ba778e729c7	\\x2f5b7abb8849da05917a9a288f48342099d2d8a7551ade5738318cf5af43fbf1
4	1800000000000	verifier	activation.claimed	bank	main	4711	TV0XV51DK6		\\x	\\x6ac573cde60165e025c47de8a81571a002a6bb83ddea5f117a90bdca51707db3
5	1800000000000	device:dd984dce793fc606f88cf4867e2452ae	device.activated	bank	main	4711	dd984dce793fc606f88cf4867e2452ae	TV0XV51DK6	\\x0000001004020000000a54563058563531444b36000000207a0899eae102ab86cc7dc66ffc2b03880fc735300df829992db80ba778e729c7000000202c165d7803187e56d38d242a01dcba6a164ad8b7254879acc5e3d4b4d83d490a00000016050300000010dd984dce793fc606f88cf4867e2452ae0000000000000020862aaec818835915cdcdde8af24362aecc55991d4bb9842e7e52de62f03060720000001f060300000010dd984dce793fc606f88cf4867e2452ae01000000000000000100000000000000209d2a3ed12ffd4ecce998c46917bc4f73fca3b0357dc67b1e39dd3313d0211bcd0000001f060300000010dd984dce793fc606f88cf4867e2452ae010000000000000002000000000000002052d2df200c90d3f4c8d1083fa09272529c654b11e21fe6ecfbad4737ccad7f2d	\\x33328ead5af56fcc8ea604fc0db305cd6697de82f6d1957f6faf429b2c1ff02b
6	1800000000000	token:core	device.token-added	bank	main	4711	01a3185c5000d8993beaab082d7c824d	A-1	\\x0000001605030000001001a3185c5000d8993beaab082d7c824d0000000000000020b86ff05a71415f26e54cbbba03446c7f405b21f83edcc1ac99edce12642a892f0000001f06030000001001a3185c5000d8993beaab082d7c824d01000000000000000200000000000000201604504cc50c10e220a0ff376d2fe42aa45f1ea36d41c6032424a8960457a1a7	\\x178f590195b76488e238ad00df5482bc633a43e2fac35e136d5954c106821add
7	1800000000000	token:core	credential.code-accepted	bank	main	4711	b525aa901e6df2c58afbf52af90570f8		\\x0000001f06030000001001a3185c5000d8993beaab082d7c824d010000000000000002000000201604504cc50c10e220a0ff376d2fe42aa45f1ea36d41c6032424a8960457a1a700000020a0915a5ee842390e8cd59d52eee56cec7e646920d148caafa9724f3eda577c510000002b0b030000001001a3185c5000d8993beaab082d7c824d0300000010299292beefa514b9fb55b0016d9ec39b000000000000002042db90683b50335dd09cc36ddeda11ff603e51fd327692f5a6c83efa2d31354f	\\x8c474e5e421b963b38239d81eb0649f0ac77a4ca4ab5e5361957738eece0fe54
8	1800000000000	token:core	transaction.created	bank	main	4711	01a3185c5000203f832df4de6f06514d	notified	\\x0000002608020000002030316133313835633530303032303366383332646634646536663036353134640000000000000020d4f1746b2d9428a0b787834e7ce0e6ee3011c4a80afcc5d93934e053a02f84e3	\\xba9661e1bf70aafbfa1d432479c0ca835c2508cab8e1a1129b52c05e9a4b75ef
9	1800000000000	device:dd984dce793fc606f88cf4867e2452ae	transaction.approved	bank	main	4711	01a3185c5000203f832df4de6f06514d	userPIN	\\x000000260902000000203031613331383563353030303230336638333264663464653666303635313464000000200831122728aa1f21ad9a5312d3a7d32d277d2db292558fda46074f9db824026700000020786105abb51ebabd54192bf00d880e948787dce274e1a14eea87108e59c512e90000001f060300000010dd984dce793fc606f88cf4867e2452ae010000000000000001000000209d2a3ed12ffd4ecce998c46917bc4f73fca3b0357dc67b1e39dd3313d0211bcd00000020d8a65706ddb69e18e4b8eabad5038fdb09ff80809296adf328717d5bfe71af6b0000002b0b0300000010dd984dce793fc606f88cf4867e2452ae0300000010105d824b0d43a461fb844bcdbfc9aaf20000000000000020eb5beb47be906071f46f66380013a0a7296552552e5ed6b0ee6e2ee86ebcee18	\\xece7e1ece516cf02dad03dbb9f8597904738e671a216214910e0449857cb3997
10	1800000000000	token:core	transaction.created	bank	main	4711	01a3185c500093dfe7cc39f5a2545ed1	notified	\\x000000260802000000203031613331383563353030303933646665376363333966356132353435656431000000000000002049093ac36638e46459daf2658771e87330334efa4e7423e7766ea26c3f87f40a	\\xc63bceb05b521ec7435188927aedd470be6430738e057a63d36c6e7606d8e441
11	1800000000000	device:dd984dce793fc606f88cf4867e2452ae	transaction.rejected	bank	main	4711	01a3185c500093dfe7cc39f5a2545ed1	notMe	\\x000000260902000000203031613331383563353030303933646665376363333966356132353435656431000000200831122728aa1f21ad9a5312d3a7d32d277d2db292558fda46074f9db8240267000000202db849c1fdbb885652ebafc19c9aedd8c486d01d2289a86d0e1b8c908c0e68bc0000001c03020000000462616e6b02000000046d61696e02000000043437313100000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b8111900000020f6ce95984293f911a8e66b5d77fa644456dacc80bdd5e7b8064ff12446560d0c	\\x92580bf36b21726512448dbd60e3ac226a688e1ddef84f0cdc525caac4529b2b
12	1800000000000	device:dd984dce793fc606f88cf4867e2452ae	transaction.denied-by-person	bank	main	4711	01a3185c500093dfe7cc39f5a2545ed1		\\x0000001f060300000010dd984dce793fc606f88cf4867e2452ae0100000000000000020000002052d2df200c90d3f4c8d1083fa09272529c654b11e21fe6ecfbad4737ccad7f2d0000002003215450f442e722da3d97d866551f9a455b5dc5cd8f34223330c37ae7cb73910000002b0b0300000010dd984dce793fc606f88cf4867e2452ae03000000106a61ee7d34b62c8808bb7037ed054cce0000000000000020923be2fb478353b9334c98db9c3fbb5f0d416bfaeec969283e3174cdf02fd403	\\xea8aa54ab40e68439990f4dd6a680a0d6ed292bc0ef0bbaad2874eb1230751ce
13	1800000000000	token:core	account.created	bank	main	4712	main/4712		\\x0000001c03020000000462616e6b02000000046d61696e0200000004343731320000000000000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b81119	\\x56d371bb84a38552a2e9be17006360b9b33371a6302115e3281ef0d42f413572
14	1800000000000	token:core	account.linked	bank	main	4711	main/4712		\\x0000001c03020000000462616e6b02000000046d61696e02000000043437313100000020f6ce95984293f911a8e66b5d77fa644456dacc80bdd5e7b8064ff12446560d0c00000020c9d735da886cde48ba8c6ee975a7f2b1e6aea4c941002de40905e19a2a87e0120000001c03020000000462616e6b02000000046d61696e02000000043437313200000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b8111900000020a7874a5c21d98ff094101f4277538c71e9ec1e28e145a28ec26128a1fb209de1	\\x2dfa035c369e7ef26942f01a9c9f272aa128c9e9cc7a8202658ec6087537b787
15	1800000000000	token:core	activation.issued	bank	main	4712	DPASS6TYYQ		\\x0000001004020000000a44504153533654595951000000000000002050bb71632e6aed3813108801f4cce47f350feb149d6faccb3399ef16c04009b6	\\xc3ce7caeedd8185bae8581f70eaba0a2c08c8b625b27700c3bcdc45de81b935d
16	1800000000000	verifier	activation.claimed	bank	main	4712	DPASS6TYYQ		\\x	\\x576e97fbc34235b752eef6c4c4674375b8ac8323b5646c4c6177e545e7ae822e
17	1800000000000	device:1819dc75df7fc2fa580ab1ff5682af3e	device.activated	bank	main	4712	1819dc75df7fc2fa580ab1ff5682af3e	DPASS6TYYQ	\\x0000001004020000000a445041535336545959510000002050bb71632e6aed3813108801f4cce47f350feb149d6faccb3399ef16c04009b600000020cc8d0c2305410560c547d0a1e3ddafc05d68bda65412a5a4575f63f263aa2737000000160503000000101819dc75df7fc2fa580ab1ff5682af3e0000000000000020a09db7d825afbefd0da84721d07219e939d0139be56aa965b3d7b3a25778f7090000001f0603000000101819dc75df7fc2fa580ab1ff5682af3e01000000000000000100000000000000205fddfa389d4548f27b76349e4176bb5f8dc1deda894da9eba9b7913c9d6980040000001f0603000000101819dc75df7fc2fa580ab1ff5682af3e01000000000000000200000000000000208988bacda9e4611c1cb37cd3720090123f43f606e4a636d1c686b705a9628528	\\x1078f5f4b1789ccb37f89c5d7ad5a2251789685a3a351f293c382daa20a3ae6a
18	1800000000000	device:1819dc75df7fc2fa580ab1ff5682af3e	device.activated	bank	main	4711	c1073decff627520a04954fc63dcd464	DPASS6TYYQ	\\x00000016050300000010c1073decff627520a04954fc63dcd46400000000000000205186652e3647178ce91e56801d4d587fc66fc832ecf2a76d0b992246be92053e0000001f060300000010c1073decff627520a04954fc63dcd4640100000000000000010000000000000020d19bfca3d0f986a0a681f3c09ad0e43f403f6adbcf8be4b199c485938d485e3c0000001f060300000010c1073decff627520a04954fc63dcd46401000000000000000200000000000000207e26dc4c9c7ce04fed438f4affa31c3d39f156f2ebc4898d779d550ea9219205	\\x39df460b9a011d6e213a8c0f9ec4d129c30328511134091984757bf73593615d
19	1800000000000	token:core	account.created	bank	main	4714	main/4714		\\x0000001c03020000000462616e6b02000000046d61696e0200000004343731340000000000000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b81119	\\x9d1f0ad34192166c2a5c6cc6759c49de611b51188a03c583cbea84e153f5b4f4
20	1800000000000	token:core	activation.issued	bank	main	4714	6BE4Z876J5		\\x0000001004020000000a364245345a3837364a3500000000000000201e66d9a48168c768afc67798b1e8017359b6fbb328f71be488b6fc221356ebd4	\\xe54d8f54babcf96f7a691986ac770a9b0c065fb2e7f69e00a30a97cc18439228
21	1800000000000	verifier	activation.claimed	bank	main	4714	6BE4Z876J5		\\x	\\x97003cdcda0752281968121d63eec791f9b0144791c97703b2891e8db7e4aa64
22	1800000000000	device:e09f36289f1e87acc5f18a0f090cf585	device.activated	bank	main	4714	e09f36289f1e87acc5f18a0f090cf585	6BE4Z876J5	\\x0000001004020000000a364245345a3837364a35000000201e66d9a48168c768afc67798b1e8017359b6fbb328f71be488b6fc221356ebd4000000202b8b8df1e67f17d9b6742f0ebf810522131dca58f70b67867231cd62bc8e229f00000016050300000010e09f36289f1e87acc5f18a0f090cf58500000000000000200d04c9d8e5eb75d3e67f9a9806ba5e3fec9efb1764a9eac782e98085ccc06dba0000001f060300000010e09f36289f1e87acc5f18a0f090cf5850100000000000000010000000000000020fd7f083b0c13eaef138095162bea06df07adc6fc03fadea28f7f7da3a607c25d0000001f060300000010e09f36289f1e87acc5f18a0f090cf58501000000000000000200000000000000207bde917c90f715b08818dc94ab9bf14e55e82ae73a7f611e8f565862328ba5d4	\\xe457b4cae3252a296e1526294ab7e25d90b642a8f35c25a908fb8464263e7acb
23	1800000000000	token:core	account.created	bank	main	4715	main/4715		\\x0000001c03020000000462616e6b02000000046d61696e0200000004343731350000000000000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b8111900000016050300000010e09f36289f1e87acc5f18a0f090cf585000000200d04c9d8e5eb75d3e67f9a9806ba5e3fec9efb1764a9eac782e98085ccc06dba000000200610ec86e1d7854005e911aea6704dca36ca6d1efa323ee1480a62b94853b9650000001f060300000010e09f36289f1e87acc5f18a0f090cf58501000000000000000100000020fd7f083b0c13eaef138095162bea06df07adc6fc03fadea28f7f7da3a607c25d00000020fd7f083b0c13eaef138095162bea06df07adc6fc03fadea28f7f7da3a607c25d	\\xa196906ad17bebec0cae51796e689414a467126cfd8960967cb86b5d91abaa11
24	1800000000000	token:core	account.replaced	bank	main	4714	main/4715		\\x0000001f060300000010e09f36289f1e87acc5f18a0f090cf585010000000000000002000000207bde917c90f715b08818dc94ab9bf14e55e82ae73a7f611e8f565862328ba5d4000000207bde917c90f715b08818dc94ab9bf14e55e82ae73a7f611e8f565862328ba5d40000001c03020000000462616e6b02000000046d61696e02000000043437313400000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b8111900000020696aea2db0b5fd3ff121430ba14fcb8f5611ef51f3be78041fa73d4787369a42	\\x2de528f4765e892b8572d9daadd1144b05dbbbd166759cd9942328cc60bdfc81
25	1800000000000	device:e09f36289f1e87acc5f18a0f090cf585	credential.rekeyed	bank	main	4715	f470a105de0e0af34df12fcdc53b549e	1	\\x0000001f060300000010e09f36289f1e87acc5f18a0f090cf58501000000000000000100000020fd7f083b0c13eaef138095162bea06df07adc6fc03fadea28f7f7da3a607c25d00000020b2f76c07d173d7bec9212414b6685ebdf9cda53bceb7d817208bdb6559d8da3c0000002b0b0300000010e09f36289f1e87acc5f18a0f090cf5850300000010fa8cc7f14ed1e3d0d801ce7b7c11efbe0000000000000020e9077a58e9422af9fb8288ffe2181c50668171be270d25b9280b93e5fa517a2f	\\x43a7145d5e8b45374e2ed2c38b1b95bc96131874f7dbf0e4a785be2cd53a0b27
26	1800691200000	device:dd984dce793fc606f88cf4867e2452ae	credential.code-refused	bank	main	4711	cc7ba4aab4d0d686bf770ce28d91e281		\\x0000001f070300000010dd984dce793fc606f88cf4867e2452ae010000000000000001000000208fe73c51adc7fe99c2f9b7d4a3d7d3e60242dc69cda6dd9c40209f6854308c6c0000002025e141d81e5505ce69182b7d6d9e97ab45d4641b8c8417802c5b57cf9cfd86120000002b0b0300000010dd984dce793fc606f88cf4867e2452ae03000000100553e6e3f7c4891e12558931454702cf0000000000000020c865401bab601afe094c554167612dc2aecb4d2877738973c7e278659bf21012	\\x02dc3e758204b476bd8cedd8dac572c58ec4fb0f0f8c4554d3fb0bed8701be05
27	1800691200000	device:dd984dce793fc606f88cf4867e2452ae	credential.code-accepted	bank	main	4711	cc7ba4aab4d0d686bf770ce28d91e281	login	\\x000000260a0200000020303161333431386633303030613864376437373065356138316363636232303700000000000000200bd36680adbcc55c5d5b12742dd9547a46f139db801fbcb9a606e252d04eaa5d0000001f060300000010dd984dce793fc606f88cf4867e2452ae01000000000000000100000020d8a65706ddb69e18e4b8eabad5038fdb09ff80809296adf328717d5bfe71af6b000000200431d021292f5cb6ed3cb7f97b6abb519447cc71c11820d86f47f4a06e4bc4ff0000001f070300000010dd984dce793fc606f88cf4867e2452ae0100000000000000010000002025e141d81e5505ce69182b7d6d9e97ab45d4641b8c8417802c5b57cf9cfd86120000002026d113af9b4db7aef3d9fee16c7b1877f33e963d18c6dd1acd9fe7aa3bd6453e0000002b0b0300000010dd984dce793fc606f88cf4867e2452ae0300000010b05a1407d6c69b2808c511d84a1ae64e000000000000002036ca6800fd501c701cceef2311050f15c8fcea8e3da08d955cf18c62769bd4e9	\\x9e7c3df0ab237d93f1f7b9f30eb28cfd9339245ed1e8c0409a4081914238b0ee
28	1800691200000	token:core	activation.issued	bank	main	4712	ZW337R9PQ8		\\x0000001004020000000a5a57333337523950513800000000000000203e48fbfc184401809e2849a463ed9353aff2532cfbc83771c21bdc4b5fa8ccb6	\\x5490549f6b288139e5f6308d3f27c6a08fab3cd82a7c351e04347004f26c1e55
29	1800691200000	token:core	transaction.created	bank	main	4711	01a3418f30008cb3a2a8beeaa3019cab	notified	\\x000000260802000000203031613334313866333030303863623361326138626565616133303139636162000000000000002053b7ca8959f543c089b482df941dcf6f655bf7a5c5158828f4edee11f9c11087	\\x8b3eb8b03a95d5b47376d3110f45d3a5960472d3c5c44c9995349a941271281a
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
1	1
\.


--
-- Data for Name: credentials; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.credentials (device, kind, id, generation, counter, standing, confirmed_in, seed, copy_noticed, counted_with, failures_in_a_row, locks_in_a_row, locked_until, blocked, failures) FROM stdin;
\\x01a3185c5000d8993beaab082d7c824d	2	\\xb525aa901e6df2c58afbf52af90570f8	0	4	1	0	\\x0100000001f861fce39a2793d575dc77505da81b0f142989c8a08bcb414550ddf45bc8e07da7df39ec867fd0a824f95d0f63504dfa	0	\N	0	0	\N	0	\\x
\\xdd984dce793fc606f88cf4867e2452ae	2	\\x1669a08122a608a1ec4dd397c6713bd5	0	1	1	0	\\x010000000188e8349900adfbe42767b383346379a001b223a78dadc86dd5d00a68886fac93a202573b9eb83db771b60aeb2c58a9efbd5f89e075e6e12e9e754272	0	\N	0	0	\N	0	\\x
\\x1819dc75df7fc2fa580ab1ff5682af3e	1	\\x103e4f2d75c2259250f106751f6089c9	0	0	1	0	\\x01000000011391fddc006a49913163b0dda7440c1bba3983ce09967f620d08a3746c9997b30e348925e82f3b6b907388070f2270a1dd646650514b336e24d9878d	0	\N	0	0	\N	0	\\x
\\x1819dc75df7fc2fa580ab1ff5682af3e	2	\\x2095e1930131c06cf1a913cd9eb91092	0	0	1	0	\\x01000000018f609c861adf99711b8f015e910b137b6e3c4279573a54fc5f9cf3905f06c4c8eb29c420aef4f025ae975a1d384a716e01985d6fe1defbfeb440b47c	0	\N	0	0	\N	0	\\x
\\xc1073decff627520a04954fc63dcd464	1	\\x53910b497737165a62b78279ee197c9d	0	0	1	0	\\x0100000001a3db4a73ea003a762653faf3909f7d5c3f9601b6415edd95440f79dcaa79c6f002f10e377a2615ef155978c2ab4addc0a6d6fec2b30c326b07638d84	0	\\x1819dc75df7fc2fa580ab1ff5682af3e	0	0	\N	0	\\x
\\xc1073decff627520a04954fc63dcd464	2	\\xd0f3b8e0b0bd8d410c14f2d003cc2de3	0	0	1	0	\\x01000000013ee5be01778a30d1a35d17c6d1adf70ba3b783000eb9c456aecb63d451bd152a689fa1097abb2fe1007b0631e642faa0bc5113d1fcc2b1cd05e8e264	0	\N	0	0	\N	0	\\x
\\xe09f36289f1e87acc5f18a0f090cf585	2	\\xe291f5a28bc84cd6f4f830a37384eb3f	0	0	1	0	\\x0100000001d8deff99bb993780d9a2454c30adf59b2eef941d35240c264772a231e484ef13bd0251729422ce7d06fe74003c2ac8effd01535002cf32ef981497a7	0	\N	0	0	\N	0	\\x
\\xe09f36289f1e87acc5f18a0f090cf585	1	\\xf470a105de0e0af34df12fcdc53b549e	1	1	1	0	\\x01000000013f6dabbcc473e37377291fd400eb8587a4c560480ad253a7241c287b2967e714a11fcfcc6ee0ff006f9cf452ecdaf090cb34da1877c604978702f007	0	\N	0	0	\N	0	\\x
\\xdd984dce793fc606f88cf4867e2452ae	1	\\xcc7ba4aab4d0d686bf770ce28d91e281	0	2	1	0	\\x01000000012b55ede339d8b5338a886d7a50b64338864369c64f9c3cc9849e34cf5e4c9c8c002e2c7a5ff3cd5967aecf1a61d1e869447e8830a83d9593a91ee086	0	\N	0	0	\N	0	\\x000001a3418f3000
\.


--
-- Data for Name: devices; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.devices (id, enterprise, account_type, account_id, public_key, token, name, standing, activated, notifications) FROM stdin;
\\xdd984dce793fc606f88cf4867e2452ae	bank	main	4711	\\x04757021375566d923bbf93a3fa953cf83a04cf23e9fa7f448a1ab6ca25ba7547987177fd1ffd9ded940e4f5306b71f504d82cfe430ccf1f350a7dd00c3e133558	\N	Phone	1	1800000000000	
\\x01a3185c5000d8993beaab082d7c824d	bank	main	4711	\N	HOTP-SHA1-6	A-1	1	1800000000000	
\\x1819dc75df7fc2fa580ab1ff5682af3e	bank	main	4712	\\x04edf6bc4f4b497c78636fe4c31af38ae752f49a945f857c211d47496145e8550826358363ed9552ffc7506a847a7961bc3c5685f203de8578fabaa66ac0cadb21	\N	Phone	1	1800000000000	
\\xc1073decff627520a04954fc63dcd464	bank	main	4711	\\x04cb4fec92e70bd8cc8c4845cb18a8a8f4316d80882c7f682399caad1980195ccd63b5ea154d36149ebc0a1c32655cbf926138d2e7adcf681a91f26b464d267724	\N	Phone	1	1800000000000	
\\xe09f36289f1e87acc5f18a0f090cf585	bank	main	4715	\\x04d2ee8eedcfd8cf653cbad8523daee03247cc28bb3a7dab747ab21ba9e4de2bd8526cc4642a73b56ee470d76144b6169dfdae00b968434858b88a71c157e09e20	\N	Phone	1	1800000000000	
\.


--
-- Data for Name: enterprises; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.enterprises (id, policy, policy_version) FROM stdin;
bank	{"leastTokenDigits": 6}	1
\.


--
-- Data for Name: imports; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.imports (name, line, digest, accounts, tokens, rejected) FROM stdin;
\.


--
-- Data for Name: logins; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.logins (id, enterprise, account_type, account_id, device, type, data_digest, granted, redeemed) FROM stdin;
01a3418f3000a8d7d770e5a81cccb207	bank	main	4711	\\xdd984dce793fc606f88cf4867e2452ae	userPIN	\\x0707070707070707070707070707070707070707070707070707070707070707	1800691200000	\N
\.


--
-- Data for Name: outbox; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.outbox (sequence, target, enterprise, account_type, account_id, subject, tries, due, state) FROM stdin;
5	1	bank	main	4711	dd984dce793fc606f88cf4867e2452ae	0	1800000000000	0
8	2	bank	main	4711	01a3185c5000203f832df4de6f06514d	0	1800000000000	0
9	1	bank	main	4711	01a3185c5000203f832df4de6f06514d	0	1800000000000	0
10	2	bank	main	4711	01a3185c500093dfe7cc39f5a2545ed1	0	1800000000000	0
11	1	bank	main	4711	01a3185c500093dfe7cc39f5a2545ed1	0	1800000000000	0
12	1	bank	main	4711	01a3185c500093dfe7cc39f5a2545ed1	0	1800000000000	0
17	1	bank	main	4712	1819dc75df7fc2fa580ab1ff5682af3e	0	1800000000000	0
18	1	bank	main	4711	c1073decff627520a04954fc63dcd464	0	1800000000000	0
22	1	bank	main	4714	e09f36289f1e87acc5f18a0f090cf585	0	1800000000000	0
25	1	bank	main	4715	f470a105de0e0af34df12fcdc53b549e	0	1800000000000	0
29	2	bank	main	4711	01a3418f30008cb3a2a8beeaa3019cab	0	1800691200000	0
\.


--
-- Data for Name: rejected_rows; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.rejected_rows (import, line, reason) FROM stdin;
\.


--
-- Data for Name: transactions; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.transactions (id, enterprise, account_type, account_id, canonical_bytes, accepted_authentication, created, deadline, number, state, closed, device, detail, evidence) FROM stdin;
01a3418f30008cb3a2a8beeaa3019cab	bank	main	4711	\\x4353545801010000000462616e6b0200000020303161333431386633303030386362336132613862656561613330313963616203000000046d61696e04000000043437313105000000010106000000085472616e73666572070000000100080000000d014555520200000000000012670900000025010000000647726f63657200000016444538393337303430303434303533323031333030300a000000000b000000000c00000001020d00000008000001a3418f30000e00000008000001a3419104c00f0000000800000000000000001000000010abaea8c9398f5781829089cda1764a06	2	1800691200000	1800691320000	\N	0	\N	\N	\N	\N
\.


--
-- Data for Name: verifier; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.verifier (id, store, epoch, audit_sequence, audit_moment, audit_hash, fingerprint_key, least_key_version, is_copy) FROM stdin;
1	\\x9629706a6b1ec36c677d868343e06bf9	0	29	1800691200000	\\x8b3eb8b03a95d5b47376d3110f45d3a5960472d3c5c44c9995349a941271281a	\\x010000000126f35557e4d3de7792d8557c0784c8e2e11d713a6e193cefbd14fc1b51fa3659504f0ee1bb3f9e9f99b2a299b77e2c0a5344d694b13fd9dfc03e487d	0	0
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
-- Name: outbox outbox_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (sequence, target);


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
-- Name: attempts_made; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX attempts_made ON public.attempts USING btree (made);


--
-- Name: credentials_counted_with; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX credentials_counted_with ON public.credentials USING btree (counted_with) WHERE (counted_with IS NOT NULL);


--
-- Name: devices_of_account; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX devices_of_account ON public.devices USING btree (enterprise, account_type, account_id);


--
-- Name: devices_revoked_tokens; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX devices_revoked_tokens ON public.devices USING btree (enterprise, name) WHERE ((token IS NOT NULL) AND (standing = 3));


--
-- Name: devices_tokens; Type: INDEX; Schema: public; Owner: bank
--

CREATE UNIQUE INDEX devices_tokens ON public.devices USING btree (enterprise, name) WHERE ((token IS NOT NULL) AND (standing <> 3));


--
-- Name: logins_granted; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX logins_granted ON public.logins USING btree (granted);


--
-- Name: outbox_delivered; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX outbox_delivered ON public.outbox USING btree (due) WHERE (state = 1);


--
-- Name: outbox_due; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX outbox_due ON public.outbox USING btree (due) WHERE (state = 0);


--
-- Name: outbox_of_account; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX outbox_of_account ON public.outbox USING btree (enterprise, account_type, account_id, sequence) WHERE (state = 0);


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

\unrestrict VZU5ln5cCVUyelj3LT3mXsbrpA83JnLkP2sjxfyUcFBHLDFamdwhU3JRCO5Skbw

